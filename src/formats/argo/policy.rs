//! Lines of an RBAC policy: who may do what (`p`), and who belongs to what (`g`).
//!
//! Mirrors Argo CD 3.6, `util/rbac/rbac.go`: each line by itself is CSV as Go reads it, with leading blanks of a field cut.

use std::ops::Range;

/// A field: what it says, and where in the text of the policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Without quotes and leading blanks; blanks at its end count.
    pub text: String,
    /// With quotes, without blanks on either side.
    pub place: Range<usize>,
}

/// A line that grants or refuses something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// `p`: what a subject may do.
    Permission(Box<Permission>),
    /// `g`: a user, group or role belongs to a role.
    Grant {
        /// Who.
        member: Field,
        /// The role.
        role: Field,
    },
}

/// What a subject may do, or may not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permission {
    /// A role, a group or a user.
    pub subject: Field,
    /// The kind of thing.
    pub resource: Field,
    /// What is done with it.
    pub action: Field,
    /// Which ones.
    pub object: Field,
    /// `allow` or `deny`; another word makes the line idle.
    pub effect: Field,
}

/// Why a line cannot be read, so that Argo CD refuses the whole policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadLine {
    /// It begins with neither `p` nor `g`.
    Kind,
    /// A permission has this many fields instead of six.
    Permission(usize),
    /// A grant has this many fields instead of three.
    Grant(usize),
    /// A quote in a field that does not begin with one, or text after a closing quote.
    Quote,
    /// A quote that is not closed.
    Open,
}

/// A line that says something, and its place in the text of the policy, without blanks on either side.
pub type Read = (Range<usize>, Result<Line, BadLine>);

/// The lines of a policy that say something; comments and empty lines are left out.
pub fn lines(policy: &str) -> Vec<Read> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in policy.split('\n') {
        let text = line.trim();
        let from = start + (line.len() - line.trim_start().len());
        if !text.is_empty() && !text.starts_with('#') {
            found.push((from..from + text.len(), read(text, from)));
        }
        start += line.len() + 1;
    }
    found
}

/// The keys of an RBAC ConfigMap's data that hold policies, in the order in which Argo CD joins them.
pub fn keys<'k>(data: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let is_overlay = |key: &str| key.len() > MAIN.len() && key.starts_with("policy.") && key.ends_with(".csv");
    let mut keys: Vec<&str> = data.into_iter().filter(|key| *key == MAIN || is_overlay(key)).collect();
    keys.sort_unstable_by_key(|key| (*key != MAIN, *key));
    keys
}

const MAIN: &str = "policy.csv";

fn read(line: &str, offset: usize) -> Result<Line, BadLine> {
    let fields = fields(line, offset)?;
    let count = fields.len();
    let mut fields = fields.into_iter();
    let mut next = |expected: BadLine| fields.next().ok_or(expected);
    match next(BadLine::Kind)?.text.as_str() {
        "p" if count == 6 => {
            let wrong = BadLine::Permission(count);
            Ok(Line::Permission(Box::new(Permission {
                subject: next(wrong)?,
                resource: next(wrong)?,
                action: next(wrong)?,
                object: next(wrong)?,
                effect: next(wrong)?,
            })))
        }
        "g" if count == 3 => {
            Ok(Line::Grant { member: next(BadLine::Grant(count))?, role: next(BadLine::Grant(count))? })
        }
        "p" => Err(BadLine::Permission(count)),
        "g" => Err(BadLine::Grant(count)),
        _ => Err(BadLine::Kind),
    }
}

/// The fields of one line of CSV.
fn fields(line: &str, offset: usize) -> Result<Vec<Field>, BadLine> {
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        at += line[at..].len() - line[at..].trim_start().len();
        let start = at;
        let mut text = String::new();
        if line[at..].starts_with('"') {
            at += 1;
            loop {
                let length = line[at..].find('"').ok_or(BadLine::Open)?;
                text.push_str(&line[at..at + length]);
                at += length + 1;
                if !line[at..].starts_with('"') {
                    break;
                }
                text.push('"');
                at += 1;
            }
            if !line[at..].is_empty() && !line[at..].starts_with(',') {
                return Err(BadLine::Quote);
            }
            fields.push(Field { text, place: offset + start..offset + at });
        } else {
            let bare = line[at..].split(',').next().unwrap_or_default();
            if bare.contains('"') {
                return Err(BadLine::Quote);
            }
            at += bare.len();
            let place = offset + start..offset + start + bare.trim_end().len();
            fields.push(Field { text: bare.to_owned(), place });
        }
        if at >= line.len() {
            return Ok(fields);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(line: &str) -> Result<Line, BadLine> {
        lines(line).remove(0).1
    }

    #[test]
    fn a_field_has_its_place_in_the_policy() {
        let policy = "# who\n\n  p, role:x, applications , get, \"web/*\", allow\n";
        let [(_, Ok(Line::Permission(line)))] = &lines(policy)[..] else { panic!("one permission") };
        assert_eq!(
            (line.resource.text.as_str(), &policy[line.resource.place.clone()]),
            ("applications ", "applications")
        );
        assert_eq!((line.object.text.as_str(), &policy[line.object.place.clone()]), ("web/*", "\"web/*\""));
    }

    #[test]
    fn a_line_needs_its_number_of_fields() {
        assert_eq!(only("p, role:x, applications, get, web/*"), Err(BadLine::Permission(5)));
        assert_eq!(only("g, team"), Err(BadLine::Grant(2)));
        assert_eq!(only("p2, a, b"), Err(BadLine::Kind));
        assert_eq!(only("p, role:x, applications, get, web/*, allow,"), Err(BadLine::Permission(7)));
    }

    #[test]
    fn quotes_are_those_of_csv() {
        let Ok(Line::Grant { member, .. }) = only("g, \"a \"\"b\"\", c\", role:x") else { panic!("a grant") };
        assert_eq!(member.text, "a \"b\", c");
        assert_eq!(only("g, \"team\" , role:x"), Err(BadLine::Quote));
        assert_eq!(only("g, te\"am, role:x"), Err(BadLine::Quote));
        assert_eq!(only("g, \"team, role:x"), Err(BadLine::Open));
    }

    #[test]
    fn overlays_follow_the_main_policy_by_name() {
        let data = ["policy.b.csv", "policy.default", "policy.csv", "scopes", "policy.a.csv"];
        assert_eq!(keys(data), ["policy.csv", "policy.a.csv", "policy.b.csv"]);
    }
}
