//! Pages of rules as text for a terminal. Knows just the Markdown that pages use.

/// Headings stand out, code blocks are indented and named after their file, links and marks stay as written.
pub fn render(page: &str, color: bool) -> String {
    let paint = |code: &str, text: &str| if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() };
    let mut out = String::new();
    let mut is_code = false;
    for line in page.lines() {
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
    out
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn a_page_is_shown_as_text() {
        let page = "# a: b\n\n## Bad\n### case\n```yaml x.yaml\na: 1\n\nb: 2\n```\n```findings\nf\n```\nplain `code`\n";
        let wanted = "a: b\n\nBAD\ncase\n  x.yaml:\n    a: 1\n\n    b: 2\n  findings:\n    f\nplain `code`\n";
        assert_eq!(render(page, false), wanted);
    }

    #[test]
    fn colours_are_only_added() {
        let page = "## Why\ntext\n";
        assert_eq!(render(page, true).replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""), render(page, false));
    }
}
