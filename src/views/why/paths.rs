//! What paths feed; of those that feed nothing, what nearly wants them and how to mend that.

use super::uses::{Use, Uses};
use super::wants::{self, Want};
use super::{place, place_json, shown};
use crate::engine::presence::{Presence, WorkTrees};
use crate::engine::{Model, Place, Settings};
use crate::fleet::AppId;
use crate::repo::{EntryKind, Near};
use crate::report::{escape, summary};
use crate::text::{FileId, RepoPath, RootId};
use crate::views::manifest::brief_or;
use crate::views::table;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Names of apps that a line of the table lists.
const NAMES: usize = 3;

/// Answers about paths, in the order they were asked for.
pub struct Answers<'m> {
    model: &'m Model,
    answers: Vec<Answer>,
}

struct Answer {
    root: RootId,
    path: RepoPath,
    presence: Presence,
    /// Files in it, and how many of them are read; `None` for anything but a folder.
    files: Option<(usize, usize)>,
    uses: Vec<Use>,
    /// What takes it exactly, were it there or not left out.
    exact: Vec<Want>,
    /// What nearly takes it; only when nothing is known to.
    near: Vec<Want>,
    /// For a missing path the one that is there.
    existing: Option<Near>,
    /// Whether it may be read by something that is not known.
    is_open: bool,
}

impl<'m> Answers<'m> {
    /// Those about the paths that the settings ask for.
    pub fn new(model: &'m Model, settings: &Settings) -> Answers<'m> {
        let trees = WorkTrees::new(model);
        let whole = [Place { root: RootId(0), path: RepoPath::root() }];
        let asked = if settings.scope.is_empty() { &whole[..] } else { &settings.scope };
        Answers { model, answers: asked.iter().map(|asked| Answer::new(asked, model, &trees)).collect() }
    }

    /// Whether nothing at all can be said about one of them.
    pub fn is_any_empty(&self) -> bool {
        self.answers.iter().any(|answer| {
            answer.presence == Presence::Missing
                && answer.exact.is_empty()
                && answer.near.is_empty()
                && answer.existing.is_none()
        })
    }

    /// For people: for each path a sentence, then a table or what is near, then what to type. `folder` is where a root
    /// lies, seen from the working directory; nothing when they are the same.
    pub fn text(&self, folder: &dyn Fn(RootId) -> Option<String>) -> String {
        let blocks: Vec<String> = self.answers.iter().map(|answer| self.block(answer, folder)).collect();
        blocks.join("\n")
    }

    fn block(&self, answer: &Answer, folder: &dyn Fn(RootId) -> Option<String>) -> String {
        let Model { repo, fleet, .. } = self.model;
        let mut out = format!("{}: {}\n", escape(&shown(answer.root, &answer.path, repo)), self.sentence(answer));
        let mut line = |text: String| writeln!(out, "  {}", escape(&text)).expect("a string takes all text");
        if !answer.uses.is_empty() {
            let row = |one: &Use| [self.how(one), self.names(one), place(one.at, repo)];
            let rows: Vec<[String; 3]> = answer.uses.iter().map(row).collect();
            table::lay_out(["USED AS", "APPLICATIONS", "WRITTEN AT"], &rows).lines().for_each(|row| line(row.into()));
        }
        for want in &answer.exact {
            line(match want.what {
                "exclude" => format!("left out by {}", self.want(want)),
                "value file" => format!("would be read as {}", self.want(want)),
                _ => format!("would be taken by {}", self.want(want)),
            });
        }
        for want in &answer.near {
            line(format!("nearest: {}", self.want(want)));
            if let Some(difference) = &want.difference {
                let path = shown(answer.root, &difference.path, repo);
                let before = path.chars().count() - difference.path.as_str().chars().count();
                let segments: Vec<&str> = difference.path.segments().collect();
                let start: usize = segments.iter().take(difference.segment).map(|name| name.chars().count() + 1).sum();
                let width = segments.get(difference.segment).map_or(1, |name| name.chars().count());
                line(format!("  {path}"));
                line(format!("  {}{} {}", " ".repeat(before + start), "^".repeat(width), difference.text));
            }
        }
        if let Some(near) = &answer.existing {
            let uses = Uses::of(answer.root, &near.path, fleet, repo);
            let apps: BTreeSet<AppId> = uses.iter().flat_map(|one| one.apps.iter().copied()).collect();
            let feeds = summary::counted(apps.len(), "application", "applications");
            line(format!("there is `{}`, which feeds {feeds}", shown(answer.root, &near.path, repo)));
        }
        if let Some(remedy) = self.remedy(answer, folder(answer.root).as_deref()) {
            line(format!("mend it with: {remedy}"));
        }
        out
    }

    fn sentence(&self, answer: &Answer) -> String {
        let apps: BTreeSet<AppId> =
            answer.uses.iter().filter(|one| one.is_live).flat_map(|one| one.apps.iter()).copied().collect();
        let flux: BTreeSet<&String> = answer.uses.iter().flat_map(|one| &one.flux).collect();
        let is_live = answer.uses.iter().any(|one| one.is_live);
        let mut sentence = match (&answer.presence, is_live) {
            (Presence::Missing, _) => "no such path".to_owned(),
            (Presence::Ignored(by), _) => {
                let at = self.model.repo.display_path(self.model.repo.entry(by.by));
                format!("git ignores it, {}:{} `{}`", escape(&at), by.line, escape(&by.pattern))
            }
            (Presence::Unlisted, _) => "it is not part of this repository: git ignores it, or it is hidden".to_owned(),
            (_, true) if apps.is_empty() && !flux.is_empty() => {
                format!("feeds {}", summary::counted(flux.len(), "object of Flux", "objects of Flux"))
            }
            (_, true) if apps.is_empty() => "it is used, but feeds no application".to_owned(),
            (_, true) => format!("feeds {}", summary::counted(apps.len(), "application", "applications")),
            (_, false) if answer.is_open => "nothing known reads it, but not everything is known here".to_owned(),
            (_, false) if !answer.uses.is_empty() => "nothing that is delivered reads it".to_owned(),
            (_, false) => "nothing reads it".to_owned(),
        };
        if let Some((files, read)) = answer.files {
            let files = summary::counted(files, "file", "files");
            write!(sentence, "; {read} of {files} read").expect("a string takes all text");
        }
        if answer.presence == Presence::Untracked {
            sentence.push_str("; git does not track it yet");
        }
        sentence
    }

    fn how(&self, one: &Use) -> String {
        let is_dead = !one.is_live && one.how != "source";
        if is_dead { format!("{}, which nothing delivers", one.text) } else { one.text.clone() }
    }

    fn names(&self, one: &Use) -> String {
        let mut names = self.all_names(&one.apps);
        names.extend(one.flux.iter().cloned());
        let more = names.len().saturating_sub(NAMES);
        names.truncate(NAMES);
        match (names.is_empty(), more) {
            (true, _) => "-".to_owned(),
            (_, 0) => names.join(", "),
            _ => format!("{} and {more} more", names.join(", ")),
        }
    }

    fn all_names(&self, apps: &BTreeSet<AppId>) -> Vec<String> {
        let name = |app: &AppId| brief_or(self.model.fleet.app(*app).metadata.name.as_ref(), "{?}");
        let mut names: Vec<String> = apps.iter().map(name).collect();
        names.sort();
        names.dedup();
        names
    }

    fn want(&self, want: &Want) -> String {
        let set = want.set.iter().map(|set| format!(" of ApplicationSet {set}"));
        let at = want.at.iter().map(|at| format!(", {}", place(*at, &self.model.repo)));
        format!("{} `{}`{}{}", want.what, want.wanted, set.collect::<String>(), at.collect::<String>())
    }

    /// The command that makes the path take effect.
    fn remedy(&self, answer: &Answer, folder: Option<&str>) -> Option<String> {
        let git = folder.map_or_else(|| "git".to_owned(), |folder| format!("git -C {}", quoted(folder)));
        let path = quoted(answer.path.as_str());
        match answer.presence {
            Presence::Missing => return None,
            Presence::Ignored(_) => {
                let is_wanted = answer.exact.iter().any(|want| want.what != "exclude");
                return is_wanted.then(|| format!("{git} add -f {path}"));
            }
            _ => {}
        }
        let is_untracked = answer.presence == Presence::Untracked;
        let Some((from, to)) = answer.rename() else {
            let is_live = answer.uses.iter().any(|one| one.is_live);
            return (is_untracked && is_live).then(|| format!("{git} add {path}"));
        };
        let mut steps = Vec::new();
        if let Some(parent) = to.parent().filter(|parent| !self.model.repo.is_folder(answer.root, parent)) {
            let parent = folder.map_or_else(|| parent.to_string(), |folder| format!("{folder}/{parent}"));
            steps.push(format!("mkdir -p {}", quoted(&parent)));
        }
        if is_untracked {
            steps.push(format!("{git} add {}", quoted(from.as_str())));
        }
        steps.push(format!("{git} mv {} {}", quoted(from.as_str()), quoted(to.as_str())));
        Some(steps.join(" && "))
    }

    /// The form of the contract, `schemas/why.schema.json`.
    pub fn json(&self, folder: &dyn Fn(RootId) -> Option<String>) -> Value {
        let answers = self.answers.iter().map(|answer| self.answer_json(answer, folder(answer.root).as_deref()));
        json!({ "version": 1, "paths": answers.collect::<Vec<_>>(), "applications": [] })
    }

    fn answer_json(&self, answer: &Answer, folder: Option<&str>) -> Value {
        let Model { repo, .. } = self.model;
        let uses = answer.uses.iter().map(|one| {
            json!({
                "how": one.how, "text": one.text, "delivered": one.is_live,
                "applications": self.all_names(&one.apps),
                "flux": one.flux,
                "at": place_json(one.at, repo),
            })
        });
        let want = |want: &Want| {
            let difference = want.difference.as_ref().map(|difference| {
                json!({
                    "path": difference.path.as_str(),
                    "segment": difference.segment,
                    "text": difference.text,
                    "rename": difference.rename.as_ref().map(|(from, to)| json!({"from": from.as_str(), "to": to.as_str()})),
                })
            });
            json!({
                "what": want.what, "wanted": want.wanted, "set": want.set,
                "at": want.at.map(|at| place_json(at, repo)), "difference": difference,
            })
        };
        let ignored = match &answer.presence {
            Presence::Ignored(by) => {
                let at = repo.entry(by.by);
                Some(
                    json!({"root": repo.root(at.root).name, "path": at.path.as_str(), "line": by.line, "pattern": by.pattern}),
                )
            }
            _ => None,
        };
        json!({
            "root": repo.root(answer.root).name,
            "path": if answer.path.is_root() { "." } else { answer.path.as_str() },
            "state": match answer.presence {
                Presence::Listed => "there",
                Presence::Untracked => "untracked",
                Presence::Ignored(_) => "ignored",
                Presence::Unlisted => "unlisted",
                Presence::Missing => "missing",
            },
            "ignoredBy": ignored,
            "files": answer.files.map(|(files, _)| files),
            "read": answer.files.map(|(_, read)| read),
            "uses": uses.collect::<Vec<_>>(),
            "exact": answer.exact.iter().map(want).collect::<Vec<_>>(),
            "near": answer.near.iter().map(want).collect::<Vec<_>>(),
            "existing": answer.existing.as_ref().map(|near| near.path.as_str()),
            "open": answer.is_open,
            "remedy": self.remedy(answer, folder),
        })
    }
}

impl Answer {
    fn new(asked: &Place, model: &Model, trees: &WorkTrees<'_>) -> Answer {
        let Model { repo, fleet, .. } = model;
        let (root, path) = (asked.root, asked.path.clone());
        let consumed = fleet.consumed(repo);
        let presence = trees.presence(root, &path);
        let uses = Uses::of(root, &path, fleet, repo);
        let is_live = uses.iter().any(|one| one.is_live);
        let is_known = is_live || path.is_root();
        let files = repo.is_folder(root, &path).then(|| {
            let below = repo.below(root, &path).iter().filter(|entry| entry.kind == EntryKind::File);
            let ids: Vec<FileId> = below.filter_map(|entry| repo.listed(root, &entry.path)).collect();
            (ids.len(), ids.iter().filter(|file| consumed.is_read(**file)).count())
        });
        let is_missing = presence == Presence::Missing;
        let exact = if is_known { Vec::new() } else { wants::exact(root, &path, fleet, repo) };
        Answer {
            is_open: !is_live
                && !is_missing
                && (!consumed.sees(root) || consumed.may_be_read(&path) || consumed.is_folder_read(root, &path, repo)),
            near: if is_known || exact.iter().any(|want| want.what != "exclude") {
                Vec::new()
            } else {
                wants::near(root, &path, fleet, repo)
            },
            existing: if is_missing && exact.is_empty() { wants::existing(root, &path, repo) } else { None },
            root,
            path,
            presence,
            files,
            uses,
            exact,
        }
    }

    /// What is to be renamed so that the nearest takes it.
    fn rename(&self) -> Option<&(RepoPath, RepoPath)> {
        let is_left_out = self.exact.iter().any(|want| want.what == "exclude");
        self.near.first().filter(|_| !is_left_out)?.difference.as_ref()?.rename.as_ref()
    }
}

/// A word of a shell's line.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._/-@%+=:,".contains(letter);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
