//! Texts that another tool fills in before anybody reads them.

/// Two characters that open a placeholder, wherever they stand.
const OPENERS: [&[u8]; 6] = [b"{{", b"{%", b"${", b"$(", b"<%", b"[["];

/// Whether a text holds a placeholder in a form that tools replace: `{{ x }}`, `{% x %}`, `${x}`, `$(x)`, `<% x %>`,
/// `[[ x ]]`, `<x>`, `__X__`. All of `<…>` and all of `__x__` is one, too.
pub fn is_placeholder(text: &str) -> bool {
    // Most texts hold no such character.
    if !text.bytes().any(|byte| matches!(byte, b'{' | b'$' | b'<' | b'[' | b'_')) {
        return false;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_. ".contains(&byte);
    let is_constant = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let is_angled =
        |rest: &str| rest.split_once('>').is_some_and(|(word, _)| !word.is_empty() && word.bytes().all(is_word));
    text.as_bytes().windows(2).any(|pair| OPENERS.contains(&pair))
        || text.split('<').skip(1).any(is_angled)
        || text.split("__").skip(1).any(|word| !word.is_empty() && word.bytes().all(is_constant))
        || (text.starts_with('<') && text.ends_with('>'))
        || (text.starts_with("__") && text.ends_with("__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_and_addresses_are_none() {
        for text in ["", "apps/web", "git@h:o/r.git", "a__b/_c", "values/*.yaml", "[a]", "$values/a.yaml", "<", "a<b"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn what_other_tools_fill_in_is_one() {
        for text in [
            "apps/{{ .name }}",
            "{% if x %}",
            "${ENV}/x",
            "$(ENV)",
            "<% x %>",
            "[[ x ]]",
            "<your-org>/x",
            "<your org!>",
            "x/__APP_NAME__/y",
            "__name__",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
    }
}
