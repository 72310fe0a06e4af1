//! Semantic versions: `semver`, `semverCompare`, and the methods of a version.
//!
//! Mirrors sprig 3.3, semver.go, over github.com/Masterminds/semver/v3 3.4.

use super::{Call, Function, Outcome, Type};
use crate::lang::semver::{Constraint, Version};
use crate::lang::template::datum::{Datum, IntKind};
use crate::lang::template::env::Fault;
use std::cmp::Ordering;
use std::rc::Rc;

use Type::String as Text;

pub(super) const TABLE: &[Function] = &[
    Function::new("semver", &[Text], |call| {
        let version = Version::parse(call.string(0)?).map_err(Fault::Failed)?;
        Ok(Datum::Version(Rc::new(version)))
    }),
    Function::new("semverCompare", &[Text, Text], |call| {
        let constraint = Constraint::parse(call.string(0)?).map_err(Fault::Failed)?;
        let version = Version::parse(call.string(1)?).map_err(Fault::Failed)?;
        Ok(Datum::Bool(constraint.allows(&version)))
    }),
];

const OTHER_VERSION: &str = "a changed version";

/// What a `*semver.Version` can be asked; its own value comes as the first argument.
const METHODS: &[Function] = &[
    Function::new("Compare", &[Type::Version], |call| Ok(Datum::int(compared(call)? as i64))),
    Function::new("Equal", &[Type::Version], |call| Ok(Datum::Bool(compared(call)? == Ordering::Equal))),
    Function::new("GreaterThan", &[Type::Version], |call| Ok(Datum::Bool(compared(call)? == Ordering::Greater))),
    Function::new("GreaterThanEqual", &[Type::Version], |call| Ok(Datum::Bool(compared(call)? != Ordering::Less))),
    Function::undecidable("IncMajor", &[], OTHER_VERSION),
    Function::undecidable("IncMinor", &[], OTHER_VERSION),
    Function::undecidable("IncPatch", &[], OTHER_VERSION),
    Function::new("LessThan", &[Type::Version], |call| Ok(Datum::Bool(compared(call)? == Ordering::Less))),
    Function::new("LessThanEqual", &[Type::Version], |call| Ok(Datum::Bool(compared(call)? != Ordering::Greater))),
    Function::new("Major", &[], |call| number(call, Version::major)),
    Function::undecidable("MarshalJSON", &[], "bytes"),
    Function::undecidable("MarshalText", &[], "bytes"),
    Function::new("Metadata", &[], |call| call.env.text(version(call, 0)?.metadata())),
    Function::new("Minor", &[], |call| number(call, Version::minor)),
    Function::new("Original", &[], |call| call.env.text(version(call, 0)?.original())),
    Function::new("Patch", &[], |call| number(call, Version::patch)),
    Function::new("Prerelease", &[], |call| call.env.text(version(call, 0)?.prerelease())),
    Function::undecidable("SetMetadata", &[Text], OTHER_VERSION),
    Function::undecidable("SetPrerelease", &[Text], OTHER_VERSION),
    Function::new("String", &[], |call| call.env.text(version(call, 0)?.to_string())),
    Function::undecidable("Value", &[], "a database value"),
];

/// The fields of a version, which templates may not read.
pub(in crate::lang::template) const FIELDS: &[&str] = &["major", "minor", "patch", "pre", "metadata", "original"];

/// The method of this name.
pub(in crate::lang::template) fn method(name: &str) -> Option<&'static Function> {
    METHODS.iter().find(|method| method.name == name)
}

fn version<'c>(call: &Call<'c>, at: usize) -> Result<&'c Version, Fault> {
    match call.known(at)? {
        Datum::Version(version) => Ok(version),
        _ => Err(super::nil_pointer()),
    }
}

fn compared(call: &Call<'_>) -> Result<Ordering, Fault> {
    Ok(version(call, 0)?.cmp(version(call, 1)?))
}

fn number(call: &Call<'_>, part: fn(&Version) -> u64) -> Outcome {
    Ok(Datum::Int(IntKind::Uint64, part(version(call, 0)?) as i64))
}
