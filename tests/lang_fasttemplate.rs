//! Placeholders against valyala/fasttemplate, used as Argo CD uses it.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::lang::fasttemplate::{Piece, parse, render};
use random::Random;
use serde_json::json;

#[test]
fn rendering_agrees_with_the_library() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(21);
    let parts = [
        "{{",
        "}}",
        "{",
        "}",
        "{{a}}",
        "{{ a }}",
        "{{path[0]}}",
        "{{b}}",
        "{{values.x}}",
        " ",
        "\t",
        "\n",
        "\u{a0}",
        "\u{2003}",
        "\u{200b}",
        "\u{feff}",
        "a",
        "é",
        "text ",
        "{{\n",
        "-",
    ];
    let params = json!({"a": "x", "path[0]": "{{a}}", "values.x": "é\n", "": "never", "n": 5, "{": "brace", "\u{200b}a": "zero"});
    let (mut rendered, mut failed) = (0, 0);
    for _ in 0..20_000 {
        let template: String = (0..random.below(9)).map(|_| random.pick(&parts)).collect();
        let theirs = match oracle.ask("fasttemplate", json!({"template": template, "params": params})) {
            Answer::Ok(text) => Some(text.as_str().unwrap().to_owned()),
            Answer::Error(_) => None,
            Answer::Panic(cause) => panic!("{cause}"),
        };
        let ours = render(&template, |name| params.get(name).and_then(|value| value.as_str())).ok();
        assert_eq!(ours, theirs, "{template:?}");
        rendered += usize::from(ours.as_ref().is_some_and(|text| *text != template));
        failed += usize::from(ours.is_none());
    }
    println!("fasttemplate: 20000 templates, {rendered} rendered, {failed} refused, 0 differences");
}

#[test]
fn pieces_cover_the_template() {
    let mut random = Random::new(22);
    let parts = ["{{", "}}", "{{ a }}", " ", "\n", "é", "x"];
    for _ in 0..5_000 {
        let template: String = (0..random.below(9)).map(|_| random.pick(&parts)).collect();
        let Ok(pieces) = parse(&template) else { continue };
        let covered: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Literal(literal) => *literal,
                Piece::Tag { range, .. } => &template[range.clone()],
            })
            .collect();
        assert_eq!(covered, template);
    }
}
