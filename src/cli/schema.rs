//! `plimsoll schema`: the JSON Schemas of our own formats.

use super::args::Schema;
use crate::rules::{OptionDefault, RULES};
use serde_json::{Map, Value, json};

const CONFIG: &str = include_str!("../../schemas/config.schema.json");
const APPS: &str = include_str!("../../schemas/apps.schema.json");
const OWNERS: &str = include_str!("../../schemas/owners.schema.json");
const REPORT: &str = include_str!("../../schemas/report.schema.json");
const WHY: &str = include_str!("../../schemas/why.schema.json");

/// The schema, as text.
pub fn text(which: Schema) -> String {
    match which {
        Schema::Apps => APPS.to_owned(),
        Schema::Owners => OWNERS.to_owned(),
        Schema::Report => REPORT.to_owned(),
        Schema::Why => WHY.to_owned(),
        Schema::Config => {
            let mut text = serde_json::to_string_pretty(&config()).expect("a JSON value is written without fail");
            text.push('\n');
            text
        }
    }
}

/// The schema of the configuration with every rule and its options named, so that editors complete them.
fn config() -> Value {
    let mut schema: Value = serde_json::from_str(CONFIG).expect("a test reads this schema");
    let mut settings = Map::new();
    let mut severities = Map::new();
    for rule in RULES {
        let mut options = Map::from_iter([("severity".to_owned(), json!({ "$ref": "#/$defs/severity" }))]);
        for option in rule.check.options {
            let mut form = match option.default {
                OptionDefault::Int(value) => json!({ "type": "integer", "default": value }),
                OptionDefault::Bool(value) => json!({ "type": "boolean", "default": value }),
                OptionDefault::Texts(texts) => {
                    json!({ "type": "array", "items": { "type": "string" }, "default": texts })
                }
            };
            form["description"] = option.doc.into();
            options.insert(option.name.to_owned(), form);
        }
        let map = json!({ "type": "object", "properties": options, "additionalProperties": false });
        let form = json!({ "description": rule.title, "anyOf": [{ "$ref": "#/$defs/severity" }, map] });
        settings.insert(rule.id.0.to_owned(), form);
        severities.insert(rule.id.0.to_owned(), json!({ "$ref": "#/$defs/overriding" }));
    }
    for (name, rules) in [("rules", settings), ("overriding-rules", severities)] {
        schema["$defs"][name]["properties"] = Value::Object(rules);
        schema["$defs"][name]["additionalProperties"] = false.into();
    }
    schema
}
