//! What can be typed.

use crate::engine::Request;
use crate::engine::config::{did_you_mean, ids};
use crate::finding::Severity;
use crate::rules::{self, Rule};
use anyhow::Context as _;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Checks GitOps repositories before merge: simulates offline what Argo CD, Helm and Kustomize would do.
#[derive(Parser, Debug)]
#[command(name = "plimsoll", version, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Report what is wrong in repositories
    Check(Box<Check>),
    /// List the Applications that repositories declare and generate
    Apps(Box<Apps>),
    /// Say who must review paths, and by which line of CODEOWNERS
    Owners(Box<Owners>),
    /// Say what paths feed, or why they feed nothing; or where an application comes from
    Why(Box<Why>),
    /// Show the page of a rule: what it reports, why, and examples
    Explain(Explain),
    /// List all rules
    Rules(Rules),
    /// Print a JSON Schema of plimsoll's own formats
    Schema {
        /// Which one
        which: Schema,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// What is read, and how it is to be understood.
#[derive(ClapArgs, Debug)]
pub struct Roots {
    /// Folders and files to report on [default: the repository that holds the working directory]
    pub paths: Vec<PathBuf>,

    /// Configuration file [default: the nearest `.plimsoll.yaml` upward from the first path]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Where a repository is checked out; may be given several times
    #[arg(long, value_name = "URL=PATH", value_parser = repo)]
    pub repo: Vec<(String, PathBuf)>,

    /// File that lists the clusters, instead of the configuration's `clusters`: a YAML list of maps with `name`,
    /// `server`, `labels` and `annotations`
    #[arg(long, value_name = "FILE")]
    pub clusters: Option<PathBuf>,
}

impl Roots {
    /// The same for the engine, seen from the working directory.
    pub fn request(&self) -> anyhow::Result<Request> {
        Ok(Request {
            folder: std::env::current_dir().context("cannot find the working directory")?,
            paths: self.paths.clone(),
            config: self.config.clone(),
            repos: self.repo.clone(),
            clusters: self.clusters.clone(),
            ..Request::default()
        })
    }
}

#[derive(ClapArgs, Debug)]
pub struct Apps {
    #[command(flatten)]
    pub roots: Roots,

    /// How to list them
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: AppsFormat,

    /// Only what this ApplicationSet generates; may be given several times
    #[arg(long, value_name = "NAME")]
    pub set: Vec<String>,

    /// Only this environment; may be given several times
    #[arg(long, value_name = "NAME")]
    pub env: Vec<String>,

    /// Only this project; may be given several times
    #[arg(long, value_name = "NAME")]
    pub project: Vec<String>,
}

#[derive(ClapArgs, Debug)]
pub struct Owners {
    #[command(flatten)]
    pub roots: Roots,

    /// How to list them
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: OwnersFormat,
}

#[derive(ClapArgs, Debug)]
#[command(mut_arg("paths", |paths| {
    paths.required_unless_present("app").help("Files and folders to explain, there or not; with `--app` where to look")
}))]
pub struct Why {
    #[command(flatten)]
    pub roots: Roots,

    /// How to answer
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: WhyFormat,

    /// Say where this application comes from
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,
}

#[derive(ClapArgs, Debug)]
pub struct Check {
    #[command(flatten)]
    pub roots: Roots,

    /// Check what is staged: the index, as the next commit would hold it
    #[arg(long, conflicts_with = "rev")]
    pub staged: bool,

    /// Check what a commit holds, without checking it out
    #[arg(long, value_name = "COMMIT")]
    pub rev: Option<String>,

    /// Report only what is new since the commit that is shared with this revision
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,

    /// How to report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,

    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,

    /// Run only these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub select: Vec<&'static Rule>,

    /// Do not run these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub ignore: Vec<&'static Rule>,

    /// Exit with 1 when there are findings of this severity or above
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    pub fail_on: FailOn,

    /// Show findings of this severity and above, in `human` and `concise`; other formats hold all
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = severity)]
    pub show: Severity,

    /// Count the findings of each rule
    #[arg(long)]
    pub statistics: bool,

    /// Say how long each step took
    #[arg(long)]
    pub timings: bool,

    /// Use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Write findings only, no summary
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,

    /// List everything that could not be decided
    #[arg(long, short)]
    pub verbose: bool,

    /// Threads to use [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
}

#[derive(ClapArgs, Debug)]
pub struct Explain {
    /// The rule
    #[arg(value_parser = rule)]
    pub rule: &'static Rule,

    /// Use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

#[derive(ClapArgs, Debug)]
pub struct Rules {
    /// How to list them
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// Each finding with the lines it is about
    Human,
    /// One line per finding
    Concise,
    /// Everything, for programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitLab Code Quality
    Gitlab,
    /// Workflow commands of GitHub Actions
    Github,
    /// JUnit XML
    Junit,
    /// Checkstyle XML
    Checkstyle,
    /// A pull request's comment or a job's summary
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AppsFormat {
    /// Aligned columns
    Table,
    /// Everything, for programs
    Json,
    /// The manifests as the controller would create them
    Yaml,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum OwnersFormat {
    /// Aligned columns
    Table,
    /// Everything, for programs
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum WhyFormat {
    /// A sentence and aligned columns
    Table,
    /// Everything, for programs
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ListFormat {
    /// Aligned columns
    Table,
    /// For programs
    Json,
    /// A Markdown table
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum FailOn {
    Error,
    Warning,
    Info,
    /// Always exit with 0 when everything could be read
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Color {
    /// When standard output is a terminal and `NO_COLOR` is not set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Schema {
    /// The configuration file
    Config,
    /// The list of `apps --format json`
    Apps,
    /// The list of `owners --format json`
    Owners,
    /// The report of `check --format json`
    Report,
    /// The answers of `why --format json`
    Why,
}

impl FailOn {
    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            FailOn::Error => severity >= Severity::Error,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Info => true,
            FailOn::Never => false,
        }
    }
}

impl Color {
    /// Whether to colour what goes to standard output.
    pub fn is_on(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
        }
    }
}

fn severity(word: &str) -> Result<Severity, String> {
    Severity::from_name(word).ok_or_else(|| "the severities are `error`, `warning` and `info`".to_owned())
}

fn rule(name: &str) -> Result<&'static Rule, String> {
    rules::find(name).ok_or_else(|| {
        let help = did_you_mean(name, ids(), || "`plimsoll rules` lists them".to_owned());
        format!("no rule is named so; {help}")
    })
}

/// The last `=` separates: a URL may hold one, a path to a checkout hardly does.
fn repo(text: &str) -> Result<(String, PathBuf), String> {
    match text.rsplit_once('=') {
        Some((url, path)) if !url.is_empty() && !path.is_empty() => Ok((url.to_owned(), PathBuf::from(path))),
        _ => Err("write it as `https://host/owner/name.git=path/to/checkout`".to_owned()),
    }
}
