//! Words for the markup of template languages, which is behind many an error.

use super::{Words, quoted, without_comment};
use crate::yaml::parse::Parser;
use crate::yaml::parse::error::Problem;

impl Parser<'_> {
    /// `{{ … }}` or `{% … %}` at `start`.
    pub(super) fn placeholder(&self, start: usize) -> Words {
        let line = without_comment(self.rest_of_line(start));
        let closer = if line.starts_with("{%") { "%}" } else { "}}" };
        let end = line.find(closer).map_or(line.len(), |end| end + closer.len());
        let span = (start, start + end);
        let is_alone = self.part(self.line_start(start), start).trim().is_empty();
        let is_key = line[end..].trim_start().starts_with(':');
        if is_alone && !is_key {
            return Words::new(span, "a template action is not YAML").help("render the template first");
        }
        let is_item = self.part(0, start).trim_end().ends_with(['[', ',']);
        let text = if is_item || is_key { &line[..end] } else { line };
        Words::new(span, "template placeholder is not quoted").help(format!("quote it: {}", quoted(text)))
    }

    /// Where the `{{` or `{%` starts that `at` lies in, if it stands where a value starts.
    pub(super) fn placeholder_around(&self, at: usize) -> Option<usize> {
        let line = self.line_start(at);
        // The problem may be any character of the opening mark.
        let before = self.part(line, self.character(at + 1).1.min(self.text.len()));
        let start = line + before.rfind("{{").max(before.rfind("{%"))?;
        let lead = self.part(line, start);
        let starts_value = lead.trim_end().is_empty() || lead.ends_with([' ', '[', ',', '{', '"', '\'']);
        let is_closed = ["}}", "%}"].iter().any(|closer| self.part(start, at.max(start)).contains(closer));
        (starts_value && !is_closed).then_some(start)
    }
}

/// Whether a placeholder may be what is really wrong.
pub(super) fn may_hide_placeholder(problem: Problem) -> bool {
    matches!(
        problem,
        Problem::NoContent
            | Problem::NoColon
            | Problem::NoDash { .. }
            | Problem::Surplus { .. }
            | Problem::UnclosedFlow
            | Problem::MisplacedEntry
            | Problem::MisplacedValue
            | Problem::NoKey
            | Problem::NoDocumentStart { .. }
            | Problem::BadTag
            | Problem::BadAlias
    )
}
