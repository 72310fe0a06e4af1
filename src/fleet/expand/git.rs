//! The git generator: one set for each matching folder, or for each item of each matching file.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/git.go` and `reposerver/repository/repository.go`.

use super::Expander;
use super::failure::{Class, Failure};
use super::matching::{Matcher, Matching};
use super::params::{Mode, Open, Params, Provenance, Values, flatten};
use super::values::append_values;
use crate::fleet::source::repository;
use crate::formats::argo::generator::{GitGenerator, GitItem};
use crate::formats::read;
use crate::lang::template::{Value, normalize};
use crate::repo::{Entry, EntryKind, File, FileState, Found, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};
use crate::value::{Unknown, Why};
use crate::yaml;

/// The sets of a git generator: files in order of path, folders in order of the walk.
pub fn generate(git: &GitGenerator, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let root = match repository(git.repo_url.as_ref(), git.revision.as_ref(), cx.repo) {
        Ok(Some(root)) => root,
        Ok(None) => return Ok(Vec::new()),
        Err(unknown) => return Ok(vec![symbolic(git, unknown, cx)]),
    };
    if let Some(unknown) = unknown_pattern(git) {
        return Ok(vec![symbolic(git, unknown, cx)]);
    }
    let mut sets = if git.directories.is_empty() { files(git, root, cx)? } else { folders(git, root, cx)? };
    for set in &mut sets {
        append_values(&git.values, set, cx)?;
    }
    Ok(sets)
}

/// The first pattern or prefix with a part that is not known.
fn unknown_pattern(git: &GitGenerator) -> Option<Unknown> {
    let items = if git.directories.is_empty() { &git.files } else { &git.directories };
    let texts = items.iter().map(|item| &item.path).chain(&git.path_param_prefix);
    texts.flat_map(|text| text.unknowns()).next().cloned()
}

/// One set that stands for whatever the repository holds: its path is unknown, and in files mode so is everything.
fn symbolic(git: &GitGenerator, unknown: Unknown, cx: &mut Expander<'_>) -> Params {
    let is_files = git.directories.is_empty();
    let mut set = Params::unknown_sets(&unknown);
    if !is_files {
        set.open = None;
    }
    let lost = || Value::Unknown(unknown.why.clone());
    let names = ["path", "basename", "basenameNormalized", "filename", "filenameNormalized", "segments"];
    let prefix = git.path_param_prefix.as_ref().and_then(|text| text.as_str());
    match cx.mode {
        Mode::Go => {
            let fields = names.into_iter().map(|name| (name.to_owned(), lost())).collect();
            insert_path(&mut set.values, prefix, Value::Map(fields));
        }
        Mode::Placeholder => {
            let prefix = prefix.map(|prefix| format!("{prefix}.")).unwrap_or_default();
            let path = format!("{prefix}path");
            set.values.insert(path.clone(), lost());
            let prefixes = vec![if is_files { String::new() } else { path }];
            set.open = Some(Open { why: unknown.why.clone(), prefixes });
        }
    }
    if git.path_param_prefix.is_some() && prefix.is_none() {
        set.open = Some(Open::any(unknown.why.clone()));
    }
    cx.uses.git_unknown(git);
    cx.undecided("generator git", unknown);
    // The values of a symbolic set are rendered like any other; what fails is not known to fail.
    let _ = append_values(&git.values, &mut set, cx);
    set
}

/// The items of a generator, compiled, and how many paths each has matched or removed.
struct Items {
    matchers: Vec<Option<Matcher>>,
    excludes: Vec<bool>,
    matched: Vec<usize>,
}

impl Items {
    /// Compiles the items that have a pattern.
    ///
    /// # Errors
    /// What `refused` makes of a pattern that the engine refuses, if anything: else the item is as good as absent.
    fn compile(
        items: &[GitItem],
        matching: Matching,
        refused: impl Fn(&GitItem, &'static str) -> Option<Failure>,
    ) -> Result<Items, Failure> {
        let compile = |item: &GitItem| match matching.compile(item.path.as_str()?) {
            Ok(matcher) => Some(Ok(matcher)),
            Err(bad) => refused(item, bad.message).map(Err),
        };
        let matchers = items.iter().map(|item| compile(item).transpose()).collect::<Result<Vec<_>, _>>()?;
        let excludes = items.iter().map(|item| item.exclude).collect();
        Ok(Items { matched: vec![0; matchers.len()], matchers, excludes })
    }

    /// Whether some item may match what is not known.
    fn may_match_more(&self, root: RootId, cx: &Expander<'_>) -> bool {
        self.matchers.iter().flatten().any(|matcher| cx.folders.may_hide(root, matcher.literal_prefix()))
    }

    /// Keeps what an include takes and no exclude removes; `candidates` may narrow what an include looks at.
    fn select<'r, T>(
        &mut self,
        candidates: impl Fn(&Matcher) -> &'r [T],
        path: impl Fn(&T) -> &str,
        order: impl Fn(&T, &T) -> std::cmp::Ordering,
    ) -> Vec<&'r T> {
        let mut taken: Vec<&'r T> = Vec::new();
        let all = self.matchers.iter().zip(&self.excludes).zip(&mut self.matched);
        let (mut includes, mut excludes) = (Vec::new(), Vec::new());
        for ((matcher, exclude), matched) in all {
            let Some(matcher) = matcher else { continue };
            if *exclude { excludes.push((matcher, matched)) } else { includes.push((matcher, matched)) }
        }
        let is_alone = includes.len() == 1;
        for (matcher, matched) in includes {
            let before = taken.len();
            taken.extend(candidates(matcher).iter().filter(|one| matcher.matches(path(one))));
            *matched += taken.len() - before;
        }
        if !is_alone {
            taken.sort_by(|a, b| order(a, b));
            taken.dedup_by(|a, b| path(a) == path(b));
        }
        taken.retain(|one| {
            let mut is_kept = true;
            for (matcher, matched) in &mut excludes {
                if matcher.matches(path(one)) {
                    **matched += 1;
                    is_kept = false;
                }
            }
            is_kept
        });
        taken
    }
}

fn folders(git: &GitGenerator, root: RootId, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    // A broken pattern is logged and skipped, so it is no failure.
    let mut items = Items::compile(&git.directories, Matching::Folders, |_, _| None)?;
    let folders = cx.folders(root);
    let taken = items.select(|_| folders, RepoPath::as_str, |a, b| a.segments().cmp(b.segments()));
    let is_open = items.may_match_more(root, cx);
    cx.uses.git_ran(git, root, Matching::Folders, cx.settings.include_hidden_directories, &items.matched, is_open);
    let prefix = git.path_param_prefix.as_ref().and_then(|text| text.as_str());
    taken
        .into_iter()
        .map(|folder| {
            let mut values = Values::new();
            add_path(&mut values, folder, None, prefix, cx.mode);
            Ok(Params::new(values, Provenance::Folder(root, folder.clone())))
        })
        .collect()
}

fn files(git: &GitGenerator, root: RootId, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let mut sets = Vec::new();
    let mut held = 0;
    for entry in matching_files(git, root, cx)? {
        let id = cx.repo.listed(root, &entry.path).expect("the entry comes from the listing");
        let of_file = sets_of_file(id, entry, git, cx)?;
        held += of_file.iter().map(|set| set.weight).sum::<usize>();
        sets.extend(of_file);
        cx.bound(git.span, sets.len(), held)?;
    }
    Ok(sets)
}

/// The listed files that the patterns take, in order of path.
fn matching_files<'r>(git: &GitGenerator, root: RootId, cx: &mut Expander<'r>) -> Result<Vec<&'r Entry>, Failure> {
    let repo = cx.repo;
    let narrowed = |matcher: &Matcher| repo.starting_with(root, matcher.literal_prefix());
    let (matching, class) = if cx.settings.new_git_file_globbing {
        (Matching::Doublestar, Class::BadPattern)
    } else {
        (Matching::Pathspec, Class::GitLsFailed)
    };
    let mut items = Items::compile(&git.files, matching, |item, reason| Some(bad_pattern(item, class, reason)))?;
    for (item, matcher) in git.files.iter().zip(&items.matchers) {
        let Some(Matcher::Doublestar(pattern)) = matcher.as_ref().filter(|_| !item.exclude) else { continue };
        if let Some(folder) = cx.folders(root).iter().find(|folder| pattern.matches_folder(folder.as_str())) {
            return Err(folder_matches(item, folder));
        }
    }
    let mut taken = items.select(narrowed, |entry| entry.path.as_str(), |a, b| a.path.as_str().cmp(b.path.as_str()));
    if matching == Matching::Doublestar {
        // A link that leaves the checkout is dropped with a warning in the log.
        taken.retain(|entry| repo.find(entry.root, &entry.path) != Found::Outside);
    }
    let is_open = items.may_match_more(root, cx);
    cx.uses.git_ran(git, root, matching, cx.settings.include_hidden_directories, &items.matched, is_open);
    Ok(taken)
}

fn bad_pattern(item: &GitItem, class: Class, reason: &str) -> Failure {
    let pattern = item.path.as_str().unwrap_or_default();
    Failure::new(class, item.path.span(), format!("pattern `{pattern}` fails: {reason}"))
}

fn folder_matches(item: &GitItem, folder: &RepoPath) -> Failure {
    let pattern = item.path.as_str().unwrap_or_default();
    let message = format!("pattern `{pattern}` matches the folder `{folder}`, which cannot be read as a file");
    Failure::new(Class::ReadFailed, item.path.span(), message).help("end the pattern in a file name")
}

/// The sets of one file: its mapping, or each item of its list.
fn sets_of_file(id: FileId, entry: &Entry, git: &GitGenerator, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let item_span = git.files.first().map_or(git.span, |item| item.path.span());
    let target = match &entry.kind {
        EntryKind::File => id,
        EntryKind::Submodule => return Err(unreadable(entry, item_span, "it is a submodule")),
        EntryKind::Symlink(_) => match cx.repo.find(entry.root, &entry.path) {
            Found::File(target) => target,
            Found::Folder(_) => return Err(unreadable(entry, item_span, "it is a link to a folder")),
            Found::Missing => return Err(unreadable(entry, item_span, "it is a link to nothing")),
            Found::Outside | Found::Submodule => return Ok(vec![lost_file(id, entry, git, Why::Unreadable, cx)]),
        },
    };
    let prefix = git.path_param_prefix.as_ref().and_then(|text| text.as_str());
    let Some(file) = cx.repo.file(target).filter(|file| matches!(file.state, FileState::Read)) else {
        return Ok(vec![lost_file(id, entry, git, Why::Unreadable, cx)]);
    };
    let contents = contents(file, cx).map_err(|(span, what)| {
        let message = format!("this parameter file {what}");
        Failure::new(Class::ParseFile, span, message).label(item_span, "read by this generator")
    })?;
    let with_path = |mut values: Values| {
        if cx.mode == Mode::Placeholder {
            values = flatten(&values);
        }
        add_path(
            &mut values,
            &entry.path.parent().unwrap_or_else(RepoPath::root),
            Some(entry.path.name()),
            prefix,
            cx.mode,
        );
        Params::new(values, Provenance::File(id))
    };
    Ok(contents.into_iter().map(with_path).collect())
}

fn unreadable(entry: &Entry, span: Span, reason: &str) -> Failure {
    let message = format!("matched path `{}` cannot be read as a file: {reason}", entry.path);
    Failure::new(Class::ReadFailed, span, message).help("exclude it with an item that has `exclude: true`")
}

/// A file whose content is not known: it may hold any parameters, even several sets.
fn lost_file(id: FileId, entry: &Entry, git: &GitGenerator, why: Why, cx: &Expander<'_>) -> Params {
    let prefix = git.path_param_prefix.as_ref().and_then(|text| text.as_str());
    let mut values = Values::new();
    add_path(
        &mut values,
        &entry.path.parent().unwrap_or_else(RepoPath::root),
        Some(entry.path.name()),
        prefix,
        cx.mode,
    );
    let open = Some(Open::any(why));
    Params { values, open, from: vec![Provenance::File(id)], is_symbolic: true, weight: 0 }
}

/// The mappings that a parameter file holds, or the place and reason why it cannot be used.
///
/// Mirrors Argo CD 3.6, `generateParamsFromGitFile`: only the first document counts, and nothing at all is one set.
fn contents(file: &File, cx: &mut Expander<'_>) -> Result<Vec<Values>, (Span, String)> {
    let Some(document) = file.tree.documents().first() else { return Ok(vec![Values::new()]) };
    if let Some(error) = file.tree.error(document) {
        let span = Span::new(file.source.id, error.start, error.end);
        return Err((span, format!("is no YAML: {}", error.message)));
    }
    let Some(root) = file.tree.root(document) else { return Ok(vec![Values::new()]) };
    let mut map = |node: yaml::Node<'_>| match cx.parameter(&read::value(node)) {
        Value::Map(values) => Some(values),
        Value::Nil => Some(Values::new()),
        _ => None,
    };
    let not_usable = |node: yaml::Node<'_>, what: &str| (node.span(), what.to_owned());
    match root.kind() {
        yaml::Kind::Sequence => root
            .items()
            .map(|item| map(item).ok_or_else(|| not_usable(item, "holds a list item that is no mapping")))
            .collect(),
        _ => Ok(vec![map(root).ok_or_else(|| not_usable(root, "is neither a mapping nor a list of mappings"))?]),
    }
}

/// The path parameters of a folder, and of a file in it.
fn add_path(values: &mut Values, folder: &RepoPath, file: Option<&str>, prefix: Option<&str>, mode: Mode) {
    let text = if folder.is_root() { "." } else { folder.as_str() };
    let segments: Vec<&str> = text.split('/').collect();
    let basename = segments.last().copied().unwrap_or_default();
    let string = |text: &str| Value::String(text.to_owned());
    let mut fields = vec![("path", string(text)), ("basename", string(basename))];
    // `.` normalises to nothing.
    fields.push(("basenameNormalized", Value::String(normalize(basename))));
    if let Some(name) = file {
        fields.push(("filename", string(name)));
        fields.push(("filenameNormalized", Value::String(normalize(name))));
    }
    match mode {
        Mode::Go => {
            fields.push(("segments", Value::List(segments.iter().map(|segment| string(segment)).collect())));
            let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            insert_path(values, prefix, Value::Map(fields));
        }
        Mode::Placeholder => {
            let prefix = prefix.map(|prefix| format!("{prefix}.")).unwrap_or_default();
            for (name, value) in fields {
                let name = if name == "path" { format!("{prefix}path") } else { format!("{prefix}path.{name}") };
                values.insert(name, value);
            }
            for (index, segment) in segments.iter().enumerate() {
                values.insert(format!("{prefix}path[{index}]"), string(segment));
            }
        }
    }
}

/// Puts the path object at `path`, or at `PREFIX.path`.
fn insert_path(values: &mut Values, prefix: Option<&str>, object: Value) {
    match prefix {
        None => drop(values.insert("path".to_owned(), object)),
        Some(prefix) => {
            let holder = Values::from([("path".to_owned(), object)]);
            values.insert(prefix.to_owned(), Value::Map(holder));
        }
    }
}

/// Every folder of a root as the walk of the generator visits them: parents first, names of one folder in byte order;
/// hidden ones only on demand, links never.
pub fn enumerate(repo: &Repo, root: RootId, with_hidden: bool) -> Vec<RepoPath> {
    let mut folders: Vec<&str> = Vec::new();
    let mut last = "";
    for entry in repo.below(root, &RepoPath::root()) {
        let text = entry.path.as_str();
        let whole = if entry.kind == EntryKind::Submodule { text.len() } else { text.rfind('/').unwrap_or(0) };
        let (path, mut end) = (&text[..whole], 0);
        if path == last {
            continue;
        }
        while end < whole {
            let start = if end == 0 { 0 } else { end + 1 };
            end = path[start..].find('/').map_or(whole, |at| start + at);
            if path[start..].starts_with('.') && !with_hidden {
                break;
            }
            // What lies in a folder stands together, so a folder is new unless the path before lies in it.
            let is_known = last.strip_prefix(&path[..end]).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            if !is_known {
                folders.push(&path[..end]);
            }
        }
        last = path;
    }
    // Compared segment by segment, so that a folder comes before its siblings with a longer name.
    folders.sort_unstable_by(|a, b| in_walk(a).cmp(in_walk(b)));
    folders.dedup();
    folders.into_iter().filter_map(|folder| RepoPath::new(folder).ok()).collect()
}

/// The bytes of a path in the order of a walk: what ends a segment comes before everything else.
fn in_walk(path: &str) -> impl Iterator<Item = u8> {
    path.bytes().map(|byte| if byte == b'/' { 0 } else { byte })
}
