//! Pages of rules as text for a terminal. Knows just the Markdown that pages use.

/// Columns that text is wrapped to.
const WIDTH: usize = 80;

/// Headings stand out, paragraphs are wrapped, code blocks are indented and named after their file, links and marks stay
/// as written.
pub fn render(page: &str, color: bool) -> String {
    let paint = |code: &str, text: &str| if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() };
    let mut out = String::new();
    let mut is_code = false;
    let mut paragraph = String::new();
    for line in page.lines() {
        if !is_code && is_text(line) {
            if starts_anew(line) {
                out += &wrap(&std::mem::take(&mut paragraph));
            }
            paragraph += &format!("{}{}", if paragraph.is_empty() { "" } else { " " }, line.trim());
            continue;
        }
        out += &wrap(&std::mem::take(&mut paragraph));
        if let Some(info) = line.strip_prefix("```") {
            if !is_code {
                let name = info.split_once(' ').map_or(info, |(_, path)| path);
                out += &format!("  {}\n", paint("36", &format!("{name}:")));
            }
            is_code = !is_code;
        } else if is_code {
            out += format!("    {line}").trim_end();
            out.push('\n');
        } else if line.starts_with('#') {
            let text = line.trim_start_matches('#').trim_start();
            let level = line.len() - line.trim_start_matches('#').len();
            out += &paint("1", if level == 2 { text.to_uppercase() } else { text.to_owned() }.as_str());
            out.push('\n');
        } else {
            out += line;
            out.push('\n');
        }
    }
    out + &wrap(&paragraph)
}

/// Whether a line belongs to a paragraph or to an item of a list.
fn is_text(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with(['#', '|', '`']) || line.starts_with('`') && !line.starts_with("```")
}

fn starts_anew(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

/// The words of a paragraph in lines; those of an item stand below its first word.
fn wrap(text: &str) -> String {
    let indent = if starts_anew(text) { "  " } else { "" };
    let (mut out, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            out += &format!("\n{indent}");
            column = indent.len();
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += width;
    }
    if column > 0 {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, render};

    #[test]
    fn a_page_is_shown_as_text() {
        let page = "# a: b\n\n## Bad\n### case\n```yaml x.yaml\na: 1\n\nb: 2\n```\n```findings\nf\n```\nplain `code`\n";
        let wanted = "a: b\n\nBAD\ncase\n  x.yaml:\n    a: 1\n\n    b: 2\n  findings:\n    f\nplain `code`\n";
        assert_eq!(render(page, false), wanted);
    }

    #[test]
    fn paragraphs_and_items_are_wrapped() {
        let words = "word ".repeat(30);
        let page = format!("{words}\n{words}\n\n- {words}\n  more\n- b\n\n| {words} |\n");
        let shown = render(&page, false);
        let (text, table) = shown.split_once('|').unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("\n  word") && text.contains(" more\n- b\n"), "{text}");
        assert_eq!(table.lines().count(), 1);
    }

    #[test]
    fn colours_are_only_added() {
        let page = "## Why\ntext\n";
        assert_eq!(render(page, true).replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""), render(page, false));
    }
}
