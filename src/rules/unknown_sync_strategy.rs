//! The steps of a RollingSync must select Applications, in words that the controller knows.

use super::{App, Check, Context, Findings};
use crate::formats::read::Fields;
use crate::text::{Span, similar};
use crate::value::{Text, Value};
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check);

const OPERATORS: [&str; 2] = ["In", "NotIn"];

/// One requirement of a step, as far as it is known.
struct Expression<'v> {
    key: &'v str,
    is_in: bool,
    values: Vec<&'v str>,
    /// The place of the values.
    span: Span,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        let resource = set.resource(cx.fleet, cx.repo);
        let Some(strategy) = resource.strategy.as_ref().and_then(Fields::of) else { continue };
        if strategy.text("type").as_ref().and_then(Text::as_str) != Some("RollingSync") {
            continue;
        }
        // Without Applications nothing is known of their labels.
        let apps = &cx.fleet.apps[set.apps.clone()];
        let Some(rolling) = strategy.fields("rollingSync") else { continue };
        for step in rolling.items("steps").iter().filter_map(Fields::of) {
            check_size(step, out);
            let is_known = check_operators(step, out);
            if let Some(expressions) = expressions(step).filter(|_| is_known && !apps.is_empty()) {
                check_labels(step.span(), &expressions, apps, out);
            }
        }
    }
}

/// `maxUpdate` is a count or a percentage.
fn check_size(step: Fields<'_>, out: &mut Findings) {
    let Some(size) = step.value("maxUpdate") else { return };
    let is_percentage = |text: &str| text.strip_suffix('%').is_some_and(|number| number.parse::<u32>().is_ok());
    let written = match size {
        Value::Text(text) => match text.as_str() {
            Some(text) if !is_percentage(text) => format!("`{text}`"),
            _ => return,
        },
        Value::Int(int) if int.value < 0 => format!("`{}`", int.value),
        _ => return,
    };
    out.at(size.span(), format!("{written} is no number of Applications"))
        .help("write a whole number, or a percentage such as `\"25%\"`");
}

/// Whether all operators are ones that the controller knows.
fn check_operators(step: Fields<'_>, out: &mut Findings) -> bool {
    let mut is_known = true;
    for operator in step.items("matchExpressions").iter().filter_map(|item| Fields::of(item)?.text("operator")) {
        let Some(word) = operator.known().filter(|word| !OPERATORS.contains(&word.value)) else { continue };
        is_known = false;
        let help = match similar::nearest(word.value, OPERATORS) {
            Some(near) => format!("write `{near}`"),
            None => "write `In` or `NotIn`, with values".to_owned(),
        };
        out.at(word.span, format!("a step of a RollingSync cannot select with `{}`", word.value)).help(help);
    }
    is_known
}

/// The requirements of a step; `None` when it has none, or one is not known.
fn expressions(step: Fields<'_>) -> Option<Vec<Expression<'_>>> {
    let read = |item| {
        let fields = Fields::of(item)?;
        let list = fields.value("values")?;
        Some(Expression {
            key: fields.value("key")?.as_str()?,
            is_in: fields.value("operator")?.as_str()? == "In",
            values: list.items().iter().map(Value::as_str).collect::<Option<_>>()?,
            span: list.span(),
        })
    };
    let items = step.items("matchExpressions");
    (!items.is_empty()).then(|| items.iter().map(read).collect())?
}

fn check_labels(step: Span, expressions: &[Expression<'_>], apps: &[App], out: &mut Findings) {
    if apps.iter().any(|app| expressions.iter().all(|expression| may_hold(expression, app))) {
        return;
    }
    // The requirement that fails alone, when there is one, is the place to look.
    let failing = expressions.iter().find(|expression| !apps.iter().any(|app| may_hold(expression, app)));
    let span = failing.map_or(step, |expression| expression.span);
    let finding = out.at(span, "no generated Application is in this step");
    let Some(Expression { key, .. }) = failing else {
        finding.help("no Application has all these labels; correct the step, or the labels of the template");
        return;
    };
    let present: BTreeSet<&str> = apps.iter().filter_map(|app| label(app, key)?.as_str()).collect();
    let present: Vec<String> = present.iter().take(5).map(|value| format!("`{value}`")).collect();
    finding.help(match present.as_slice() {
        [] => format!("give the template the label `{key}`"),
        present => format!("the label `{key}` is {} here", present.join(", ")),
    });
}

/// Whether an Application may meet a requirement. An absent label meets `NotIn`.
///
/// Mirrors Argo CD 3.6, `buildAppDependencyList`.
fn may_hold(expression: &Expression<'_>, app: &App) -> bool {
    match label(app, expression.key) {
        None => !expression.is_in,
        Some(text) => text.as_str().is_none_or(|value| expression.values.contains(&value) == expression.is_in),
    }
}

fn label<'a>(app: &'a App, key: &str) -> Option<&'a Text> {
    app.metadata.labels.iter().find(|(name, _)| name.value == key).map(|(_, text)| text)
}
