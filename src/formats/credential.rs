//! Which entries of a Secret are credentials, told by their names and their content.
//!
//! A Secret often holds more than credentials: names, addresses, whole configurations. And often what stands in git is no
//! credential yet: a placeholder, a reference to a store, ciphertext. Where that cannot be told, an entry is none.

use crate::text::is_placeholder;
use crate::yaml;
use std::sync::Arc;

/// What texts begin with that another tool resolves or decrypts: references of 1Password, vals, Vault and others.
const REFERENCES: [&str; 15] = [
    "ENC[",
    "ENC(",
    "{cipher}",
    "$",
    "%",
    "/",
    "op://",
    "ref+",
    "vault:",
    ">>vault:",
    "secretref+",
    "awssm:",
    "gcpsm:",
    "-----BEGIN AGE ENCRYPTED FILE-----",
    "-----BEGIN PGP MESSAGE-----",
];

/// Words in what somebody is to replace.
const STAND_INS: [&str; 22] = [
    "change",
    "replace",
    "example",
    "dummy",
    "placeholder",
    "todo",
    "fixme",
    "xxx",
    "update",
    "your",
    "fake",
    "sample",
    "redacted",
    "insert",
    "fill",
    "secret",
    "password",
    "passw0rd",
    "...",
    "***",
    "base64",
    "<path:",
];

/// The last words of names of credentials.
const NAMES: [&str; 10] =
    ["password", "passwd", "passphrase", "pass", "pwd", "secret", "token", "apikey", "credential", "credentials"];

/// The words before `key` in names of credentials.
const KEYS: [&str; 10] =
    ["private", "api", "secret", "encryption", "signing", "auth", "master", "service", "license", "jwt"];

/// What tokens begin with that no other texts do, and their least lengths.
const TOKENS: [(&str, usize); 10] = [
    ("ghp_", 36),
    ("gho_", 36),
    ("ghs_", 36),
    ("github_pat_", 40),
    ("glpat-", 26),
    ("xoxb-", 30),
    ("xoxp-", 30),
    ("sk_live_", 24),
    ("npm_", 36),
    ("AGE-SECRET-KEY-1", 60),
];

/// Fewer letters are a word or a number.
const LEAST: usize = 8;

/// Longer texts hold such words by chance.
const LONGEST_STAND_IN: usize = 48;

/// Whether an entry with this name and this content is a credential that anybody can use.
pub fn is_credential(name: &str, content: &str) -> bool {
    let content = content.trim();
    if REFERENCES.iter().any(|start| content.starts_with(start)) {
        return false;
    }
    has_private_key(content)
        || TOKENS
            .iter()
            .any(|(start, least)| content.starts_with(start) && content.len() >= *least && is_strong(content))
        || password_in_address(content).is_some_and(is_strong)
        || (is_named(name) && is_strong(content))
        || (is_password(name) && is_phrase(content))
        || (name.starts_with(".docker") && has_registry_password(content))
}

/// Whether a text holds a whole private key, as a file or inside of another one.
fn has_private_key(content: &str) -> bool {
    let Some((before, rest)) = content.split_once("PRIVATE KEY-----") else { return false };
    let body = rest.split("-----END").next().unwrap_or_default().replace("\\n", "");
    let letters = body.bytes().filter(u8::is_ascii_alphanumeric).count();
    before.contains("-----BEGIN ") && letters >= 64 && !body.contains("...") && !is_placeholder(&body)
}

/// The password in an address such as `postgres://user:password@host`.
fn password_in_address(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once("://").filter(|_| !content.contains(char::is_whitespace))?;
    let (user, _) = rest.split('/').next()?.rsplit_once('@')?;
    Some(user.split_once(':')?.1)
}

/// Whether the configuration of a registry client holds a password.
fn has_registry_password(content: &str) -> bool {
    let tree = yaml::parse(crate::text::FileId(0), Arc::from(content));
    let root = tree.documents().first().and_then(|document| tree.root(document));
    let auths = root.filter(|_| tree.errors().is_empty()).and_then(|root| root.get("auths"));
    let mut registries = auths.into_iter().flat_map(yaml::Node::entries);
    registries.any(|registry| {
        let text = |key| registry.value.get(key).and_then(yaml::Node::as_str);
        let decoded = text("auth").and_then(yaml::decode_base64).and_then(|bytes| String::from_utf8(bytes).ok());
        let auth = decoded.as_deref().and_then(|auth| Some(auth.split_once(':')?.1));
        text("password").or(auth).is_some_and(is_strong)
    })
}

/// Whether a name says that its content is a credential: by its last word, so that `token-url` is none.
fn is_named(name: &str) -> bool {
    let words = words(name);
    match words.as_slice() {
        [.., last] if NAMES.contains(&last.as_str()) => true,
        // The access key of a pair is a name, its secret one is not.
        [before @ .., access, key] if key == "key" && access == "access" => before.iter().any(|word| word == "secret"),
        [.., before, key] if key == "key" => KEYS.contains(&before.as_str()),
        _ => false,
    }
}

/// Whether a name says that its content is chosen by a person.
fn is_password(name: &str) -> bool {
    words(name).last().is_some_and(|last| matches!(last.as_str(), "password" | "passphrase"))
}

/// Whether a text is several words in a row that mean nothing together.
fn is_phrase(text: &str) -> bool {
    let mut words = text.split(['-', '_', '.']);
    let is_word = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    text.len() >= 20 && words.clone().count() >= 4 && words.all(is_word) && !has_stand_in(text)
}

fn has_stand_in(text: &str) -> bool {
    let small = text.to_lowercase();
    STAND_INS.iter().any(|word| small.contains(word))
}

/// The words of a name, in small letters: `sshPrivateKey`, `SSH_PRIVATE_KEY` and `ssh-private.key` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a text looks like chosen or made to be secret: one line of letters of several kinds, and no words that
/// somebody is to replace.
fn is_strong(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    let is_mixed = has(u8::is_ascii_lowercase) && (has(u8::is_ascii_uppercase) || has(u8::is_ascii_digit))
        || has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase);
    text.len() >= LEAST
        && is_mixed
        && !text.contains(char::is_whitespace)
        && !text.contains("://")
        && !is_placeholder(text)
        && (text.len() > LONGEST_STAND_IN || !has_stand_in(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_by_its_last_word() {
        for name in ["password", "DB_PASSWORD", "sshPrivateKey", "AWS_SECRET_ACCESS_KEY", "api-key", "session_secret"] {
            assert!(is_named(name), "{name}");
        }
        for name in
            ["username", "token-url", "PASSWORD_FILE", "secretName", "AWS_ACCESS_KEY_ID", "access-key", "key", ""]
        {
            assert!(!is_named(name), "{name}");
        }
    }

    #[test]
    fn what_somebody_is_to_replace_is_no_credential() {
        for content in [
            "",
            "changeme1A",
            "change me bozo",
            "UPDATE_AWS_SECRET_ACCESS_KEY",
            "<path:secret/data/shop#password>",
            "op://shop/db/password1",
            "ref+vault://secret/shop#/password1",
            "vault:secret/data/shop#DB1",
            "${DB_PASSWORD1}",
            "{{ .Values.password1 }}",
            "ENC[AES256_GCM,data:8xH1,type:str]",
            "/var/run/secrets/Token1",
            "minioadmin",
            "user",
            "12345678",
            "https://example.com/Token1",
        ] {
            assert!(!is_credential("password", content), "{content}");
        }
    }

    #[test]
    fn a_credential_is_told_by_name_and_content() {
        assert!(is_credential("DB_PASS", "tbSMhMes2zV3"));
        assert!(!is_credential("DB_USER", "tbSMhMes2zV3"));
        assert!(is_credential("password", "correct-horse-battery-staple"));
        assert!(!is_credential("token", "shop-web-production-reader"));
        assert!(!is_credential("password", "replace-this-before-use"));
        assert!(is_credential("url", "postgres://shop:tbSMhMes2zV3@db:5432/shop"));
        assert!(!is_credential("url", "postgres://shop:${PASS}@db:5432/shop"));
        assert!(is_credential("any", &format!("ghp_{}", "a1B2".repeat(9))));
    }

    #[test]
    fn a_private_key_is_one_wherever_it_stands() {
        let key =
            format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\n", "MIIEpAIB".repeat(20));
        assert!(is_credential("tls.key", &key));
        assert!(is_credential("account.json", &format!("{{\"private_key\": \"{}\"}}", key.replace('\n', "\\n"))));
        assert!(!is_credential("tls.key", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----\n"));
        assert!(!is_credential("tls.crt", &key.replace("PRIVATE KEY", "CERTIFICATE")));
    }

    #[test]
    fn the_password_of_a_registry_is_found() {
        let auth = |auth: &str| format!("{{\"auths\": {{\"registry.example.com\": {auth}}}}}");
        let name = ".dockerconfigjson";
        assert!(is_credential(name, &auth("{\"username\": \"a\", \"password\": \"tbSMhMes2zV3\"}")));
        assert!(is_credential(name, &auth("{\"auth\": \"c2hvcDp0YlNNaE1lczJ6VjM=\"}")));
        assert!(!is_credential(name, &auth("{\"username\": \"a\", \"password\": \"<registry-password>\"}")));
        assert!(!is_credential(name, "{}"));
    }
}
