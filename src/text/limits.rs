//! Limits on hostile input. Reaching one is a finding, and the run goes on.

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

/// Parameter sets that one ApplicationSet may yield.
pub const PARAMETER_SETS: usize = 50_000;

/// Parameter values that the sets of one ApplicationSet may hold together, counted in each set.
pub const PARAMETER_VALUES: usize = 4_000_000;

/// Values that all generated Applications may hold together: fields, items, texts by their length.
pub const GENERATED_VALUES: usize = 8_000_000;

/// Lines of a CODEOWNERS file with a pattern; nothing is said by a longer file.
pub const OWNER_LINES: usize = 10_000;

/// Lines of a CODEOWNERS file that may be compared with others of the file.
pub const OWNER_COMPARISONS: usize = 10_000_000;

/// Parts of patterns that may be compared to find the code owners of all paths of a root.
pub const OWNER_STEPS: usize = 100_000_000;
