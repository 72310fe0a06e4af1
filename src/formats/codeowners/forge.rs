//! The forges: what they are called, where they live, and where they look for the file.

/// What the file is called, in these letters.
pub const FILE_NAME: &str = "CODEOWNERS";

/// Who reads the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Forge {
    /// GitHub.
    GitHub,
    /// GitLab.
    GitLab,
    /// Bitbucket Cloud and Data Center.
    Bitbucket,
    /// Gitea and Forgejo.
    Gitea,
}

impl Forge {
    /// All of them.
    pub const ALL: [Forge; 4] = [Forge::GitHub, Forge::GitLab, Forge::Bitbucket, Forge::Gitea];

    /// The words of the configuration.
    pub const WORDS: [&str; 5] = ["github", "gitlab", "bitbucket", "gitea", "forgejo"];

    /// The forge of a word of the configuration.
    pub fn from_word(word: &str) -> Option<Forge> {
        match word {
            "github" => Some(Forge::GitHub),
            "gitlab" => Some(Forge::GitLab),
            "bitbucket" => Some(Forge::Bitbucket),
            "gitea" | "forgejo" => Some(Forge::Gitea),
            _ => None,
        }
    }

    /// The forges that a host may be, by its name; `None` when the name tells nothing. Some hosts are no forge that
    /// reads such a file.
    pub fn of_host(host: &str) -> Option<&'static [Forge]> {
        let is_below =
            |domain: &str| host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'));
        let without = ["dev.azure.com", "visualstudio.com", "amazonaws.com", "sr.ht"];
        if without.iter().any(|domain| is_below(domain)) {
            return Some(&[]);
        }
        let mut labels = host.split(['.', '-']);
        if is_below("ghe.com") {
            return Some(&[Forge::GitHub]);
        }
        labels.find_map(|label| match label {
            "github" => Some(&[Forge::GitHub] as &[Forge]),
            "gitlab" => Some(&[Forge::GitLab] as &[Forge]),
            "bitbucket" => Some(&[Forge::Bitbucket] as &[Forge]),
            "gitea" | "forgejo" | "codeberg" => Some(&[Forge::Gitea] as &[Forge]),
            _ => None,
        })
    }

    /// Its name, as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Forge::GitHub => "GitHub",
            Forge::GitLab => "GitLab",
            Forge::Bitbucket => "Bitbucket",
            Forge::Gitea => "Gitea",
        }
    }

    /// Where it looks for the file; the first one that is there counts.
    pub fn locations(self) -> &'static [&'static str] {
        match self {
            Forge::GitHub => &[".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"],
            Forge::GitLab => &["CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"],
            Forge::Bitbucket => &[".bitbucket/CODEOWNERS"],
            Forge::Gitea => &["CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"],
        }
    }

    /// Paths that are there for it alone: a folder, with its `/`, or a file.
    pub fn marks(self) -> &'static [&'static str] {
        match self {
            Forge::GitHub => &[".github/"],
            Forge::GitLab => &[".gitlab/", ".gitlab-ci.yml"],
            Forge::Bitbucket => &[".bitbucket/", "bitbucket-pipelines.yml"],
            Forge::Gitea => &[".gitea/", ".forgejo/"],
        }
    }

    /// A file of more bytes is not read at all.
    pub fn size_limit(self) -> Option<usize> {
        (self == Forge::GitHub).then_some(3 * 1024 * 1024)
    }
}

/// Whether some forge looks for the file at this path.
pub fn is_location(path: &str) -> bool {
    path.ends_with(FILE_NAME) && Forge::ALL.iter().any(|forge| forge.locations().contains(&path))
}
