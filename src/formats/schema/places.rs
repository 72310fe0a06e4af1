//! Where in a schema each field name belongs, for telling somebody who wrote it elsewhere.

use super::site::{Types, field_names, follow, reference};
use serde_json::Value;
use std::collections::BTreeMap;

/// The places of every field name of a schema.
#[derive(Debug)]
pub struct Places {
    by_name: BTreeMap<String, Vec<Place>>,
}

/// An object that has a field.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The way to the object: `spec.sources[].helm`; empty for the document.
    pub path: String,
    /// The types that the field takes there.
    pub types: Types,
}

impl Places {
    /// The places of a schema, each definition entered once on a way, so that recursion ends.
    pub fn new(root: &Value) -> Places {
        let mut places = Places { by_name: BTreeMap::new() };
        places.add(root, root, "", &mut Vec::new());
        places
    }

    fn add<'s>(&mut self, schema: &'s Value, root: &'s Value, path: &str, inside: &mut Vec<&'s str>) {
        for name in field_names(schema) {
            // Nobody writes these by hand; what they hold would only blur where a field belongs.
            if path.is_empty() && matches!(name, "status" | "operation") {
                continue;
            }
            let field = &schema["properties"][name];
            let types = Types::of_schema(follow(field, root));
            self.by_name.entry(name.to_owned()).or_default().push(Place { path: path.to_owned(), types });
            let below = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            self.enter(field, root, below, inside);
        }
    }

    fn enter<'s>(&mut self, schema: &'s Value, root: &'s Value, path: String, inside: &mut Vec<&'s str>) {
        if let Some(name) = reference(schema) {
            if !inside.contains(&name) {
                inside.push(name);
                self.enter(&root["$defs"][name], root, path, inside);
                inside.pop();
            }
            return;
        }
        match schema.get("items") {
            Some(items) => self.enter(items, root, path + "[]", inside),
            None => self.add(schema, root, &path, inside),
        }
    }

    /// The best place for a field that was written in the object at `path` and has a value of this type: one that takes
    /// the type, then the nearest, then the shortest.
    pub fn best(&self, name: &str, path: &str, types: Types) -> Option<&Place> {
        let here = generic(path);
        let fitting = self.by_name.get(name)?.iter().filter(|place| place.path != here && place.types.meet(types));
        fitting.min_by_key(|place| (steps(&here, &place.path), place.path.len()))
    }

    /// Whether the object at `path` has a field of this name.
    pub fn at(&self, name: &str, path: &str) -> bool {
        let here = generic(path);
        self.by_name.get(name).is_some_and(|places| places.iter().any(|place| place.path == here))
    }

    /// Every field, by its way from the document.
    #[cfg(test)]
    pub fn paths(&self) -> Vec<String> {
        let path = |(name, place): (&String, &Place)| match place.path.as_str() {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        self.by_name.iter().flat_map(|(name, places)| places.iter().map(move |place| (name, place))).map(path).collect()
    }

    /// Whether some object has a field of this name.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

/// A path with its indices left out: `sources[0]` is `sources[]`.
fn generic(path: &str) -> String {
    let mut generic = String::with_capacity(path.len());
    for (at, part) in path.split('[').enumerate() {
        match part.split_once(']') {
            Some((_, rest)) if at > 0 => {
                generic.push_str("[]");
                generic.push_str(rest);
            }
            _ => generic.push_str(part),
        }
    }
    generic
}

/// Steps up and down from one object to the other.
fn steps(from: &str, to: &str) -> usize {
    let segments = |path: &str| path.split('.').filter(|segment| !segment.is_empty()).count();
    let common = from.split('.').zip(to.split('.')).take_while(|(a, b)| a == b && !a.is_empty()).count();
    segments(from) + segments(to) - 2 * common
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_nearest_place_wins() {
        assert_eq!(steps("spec.source", "spec.source.directory"), 1);
        assert_eq!(steps("spec.source", "spec.sourceHydrator.drySource.directory"), 4);
        assert_eq!(steps("", "spec"), 1);
    }

    #[test]
    fn indices_do_not_make_another_place() {
        assert_eq!(generic("spec.sources[12].helm"), "spec.sources[].helm");
    }

    #[test]
    fn recursion_ends() {
        let schema = json!({
            "properties": {"generators": {"type": "array", "items": {"$ref": "#/$defs/generator"}}},
            "$defs": {"generator": {"properties": {
                "matrix": {"properties": {"generators": {"items": {"$ref": "#/$defs/generator"}}}},
                "list": {"type": "object"},
            }}},
        });
        let places = Places::new(&schema);
        assert_eq!(places.best("list", "", Types::MAP).unwrap().path, "generators[]");
        assert_eq!(places.best("list", "", Types::TEXT), None);
    }
}
