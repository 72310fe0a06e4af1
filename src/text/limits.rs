//! Limits on hostile input. Reaching one is a finding, and the run goes on.

/// Bytes of a link's target that is read from git's objects.
pub const LINK_BYTES: u64 = 4096;

/// Bytes of a path in git's objects; deeper folders are not entered.
pub const PATH_BYTES: usize = 4096;

/// Paths that a commit is read for.
pub const STATE_PATHS: usize = 2_000_000;

/// A file above this many bytes is not read.
pub const FILE_BYTES: u64 = 10 * 1024 * 1024;

/// Collections nested deeper than this end the document with a syntax error.
pub const DEPTH: usize = 200;

/// Nodes of one document that may be reached through aliases, counted once for every way that leads there.
///
/// go-yaml refuses documents by the *share* of alias nodes; a fixed budget is simpler to explain and refuses every bomb.
pub const ALIAS_NODES: u64 = 400_000;

/// Bytes of a mapping key that the reader accepts; libyaml's limit for simple keys.
pub const KEY_BYTES: usize = 1024;

/// Symbolic links followed while one path is resolved; Argo CD's own limit.
pub const SYMLINKS: usize = 10;

/// Findings kept for one rule in one file; the rest is counted, not listed.
pub const FINDINGS_PER_RULE_AND_FILE: usize = 200;

/// Steps one rendering of a template may take: a command, an item visited or 64 bytes written is one.
pub const TEMPLATE_STEPS: u64 = 2_000_000;

/// Bytes of one text that a template makes; also of its whole result.
pub const TEMPLATE_BYTES: usize = 16 * 1024 * 1024;

/// Blocks, expressions and templates a rendering may be inside of at one time. Go allows 100,000 templates.
pub const TEMPLATE_DEPTH: usize = 200;

/// Kustomizations nested deeper than this are not followed.
pub const BUILD_DEPTH: usize = 64;

/// Work that following all kustomizations may take: objects moved, patches tried, values written.
pub const BUILD_STEPS: usize = 5_000_000;

/// Revisions beside those that are checked out that are read from git's objects.
pub const PINNED_REVISIONS: usize = 8;

/// Files of one such revision; a larger one is not read.
pub const REVISION_FILES: usize = 200_000;

/// Bytes of the files of one such revision; a larger one is not read.
pub const REVISION_BYTES: u64 = 128 * 1024 * 1024;

/// Parameter sets that one ApplicationSet may yield.
pub const PARAMETER_SETS: usize = 50_000;

/// Parameter values that the sets of one ApplicationSet may hold together, counted in each set.
pub const PARAMETER_VALUES: usize = 4_000_000;

/// Values that all generated Applications may hold together: fields, items, texts by their length.
pub const GENERATED_VALUES: usize = 8_000_000;

/// Generators nested deeper than this are not looked into for what repositories they read; Argo CD allows two levels.
pub const GENERATOR_DEPTH: usize = 8;

/// Bytes that a compiled expression of a kustomize target may take; a larger one may match anything.
pub const EXPRESSION_BYTES: usize = 1 << 18;

/// Alternatives that the braces of one glob may stand for; the library has no limit, and `{a,b}` forty times never
/// ends.
pub const BRACE_ALTERNATIVES: usize = 1024;

/// Paths that one glob may find; no chart has as many value files.
pub const GLOB_MATCHES: usize = 100_000;

/// A document above this many bytes is told its first problem only: the validator lists all of them at once.
pub const SCHEMA_BYTES: u32 = 256 * 1024;

/// Blocks and parentheses of a template within each other, and branches of one `else if` chain.
pub const TEMPLATE_NESTING: usize = 100;

/// Values nested deeper than this fail a rendering: a little deeper than what is read from files.
pub const TEMPLATE_VALUE_DEPTH: usize = DEPTH + 50;

/// Notices kept of one rendering: a loop repeats itself.
pub const TEMPLATE_NOTICES: usize = 64;

/// Bytes that a compiled pattern of a template may take.
pub const PATTERN_BYTES: usize = 2 * 1024 * 1024;

/// Steps of a rendering that compiling a pattern costs; it may take megabytes.
pub const PATTERN_STEPS: usize = 20_000;

/// Bytes that a set of compiled patterns may take, and those it may use while it matches.
pub const PATTERN_SET_BYTES: usize = 32 * 1024 * 1024;

/// Lines of a CODEOWNERS file with a pattern; nothing is said by a longer file.
pub const OWNER_LINES: usize = 10_000;

/// Lines of a CODEOWNERS file that may be compared with others of the file.
pub const OWNER_COMPARISONS: usize = 10_000_000;

/// Parts of patterns that may be compared to find the code owners of all paths of a root.
pub const OWNER_STEPS: usize = 100_000_000;
