//! What counts as an owner.

/// Whether a word is an owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is one.
    Owner,
    /// It is none, and the forge says so.
    None,
    /// It has an odd form of which nothing is certain.
    Doubtful,
}

/// An owner on GitHub: `@user`, `@org/team` or an email address.
pub fn github(word: &str) -> Verdict {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| is_letter(byte) || byte == b'-');
    let is_loose_name = |name: &str| is_name(&name.replace('_', "-"));
    let Some(name) = word.strip_prefix('@') else {
        return if is_email(word) { Verdict::Owner } else { doubt_unless(lacks_parts(word)) };
    };
    let parts: Vec<&str> = name.split('/').collect();
    let is_owner = match parts.as_slice() {
        [user] => is_loose_name(user),
        [org, team] => is_name(org) && is_loose_name(team),
        _ => false,
    };
    if is_owner {
        return Verdict::Owner;
    }
    let is_none = parts.len() > 2 || parts.iter().any(|part| part.is_empty()) || name.contains([',', ';']);
    doubt_unless(is_none)
}

/// An owner on Bitbucket: an email address, or a name after `@` with at most one `/`, and how to choose among many.
pub fn bitbucket(word: &str) -> Verdict {
    let (owner, choice) = word.split_once(':').map_or((word, None), |(owner, choice)| (owner, Some(choice)));
    let is_choice = choice.is_none_or(|choice| {
        let counted = choice.strip_prefix("random(").or_else(|| choice.strip_prefix("least_busy("));
        choice == "all" || counted.and_then(|rest| rest.strip_suffix(')')).is_some_and(is_number)
    });
    let is_owner = match owner.strip_prefix('@') {
        None => is_email(owner),
        Some(name) => !name.is_empty() && name.split('/').count() <= 2 && name.split('/').all(|part| !part.is_empty()),
    };
    if is_owner && is_choice { Verdict::Owner } else { doubt_unless(!word.contains('@') || owner == "@") }
}

/// The owner that GitLab finds in a word: `@user`, `@group/subgroup`, `@@role`, an email address; punctuation after it is
/// left out.
pub fn gitlab(word: &str) -> Option<&str> {
    let owner = word.trim_end_matches(|c: char| ",.;:".contains(c));
    if let Some(role) = owner.strip_prefix("@@") {
        let role = role.to_ascii_lowercase();
        return matches!(role.strip_suffix('s').unwrap_or(&role), "developer" | "maintainer" | "owner")
            .then_some(owner);
    }
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('-')
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
    };
    let is_owner = match owner.strip_prefix('@') {
        Some(path) => path.split('/').all(is_part),
        None => is_email(owner),
    };
    is_owner.then_some(owner)
}

fn doubt_unless(is_none: bool) -> Verdict {
    if is_none { Verdict::None } else { Verdict::Doubtful }
}

/// Whether a word without a leading `@` has nothing that an address has.
fn lacks_parts(word: &str) -> bool {
    match word.rsplit_once('@') {
        None => true,
        Some((local, host)) => local.is_empty() || !host.contains('.') || word.ends_with([',', ';', '.']),
    }
}

fn is_email(word: &str) -> bool {
    let Some((local, host)) = word.split_once('@') else { return false };
    let is_local = |byte: u8| is_letter(byte) || b"._%+-'".contains(&byte);
    let is_host = |byte: u8| is_letter(byte) || b".-".contains(&byte);
    let ending = host.rsplit_once('.').map_or("", |(_, ending)| ending);
    !local.is_empty()
        && local.bytes().all(is_local)
        && host.bytes().all(is_host)
        && !host.starts_with('.')
        && ending.len() >= 2
        && ending.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
