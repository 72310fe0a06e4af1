//! What libyaml makes of a text, by way of its translation `unsafe-libyaml`.

use super::events::{Event, Outcome};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use unsafe_libyaml::*;

/// Reads `text` with libyaml.
pub fn read(text: &str) -> Outcome {
    let mut outcome = Outcome { documents: Vec::new(), error: None };
    let mut open = Vec::new();
    // The byte-order mark is no part of the offsets.
    let shift = if text.starts_with('\u{feff}') { 3 } else { 0 };
    // SAFETY: the parser is initialised before use, `text` outlives it, each event is read before it is deleted, and a
    // union is read only as the event's type says.
    unsafe {
        let mut parser = MaybeUninit::<yaml_parser_t>::uninit();
        let parser = parser.as_mut_ptr();
        assert!(yaml_parser_initialize(parser).ok, "libyaml has memory");
        yaml_parser_set_input_string(parser, text.as_ptr(), text.len() as u64);
        loop {
            let mut event = MaybeUninit::<yaml_event_t>::uninit();
            let event = event.as_mut_ptr();
            if yaml_parser_parse(parser, event).fail {
                let parser = &*parser;
                let problem = parser.problem;
                let words =
                    if problem.is_null() { "no words" } else { CStr::from_ptr(problem).to_str().expect("ASCII") };
                outcome.error = Some(format!("{words} at {}", parser.problem_mark.index));
                break;
            }
            let kind = (*event).type_;
            match kind {
                YAML_DOCUMENT_END_EVENT => outcome.documents.push(std::mem::take(&mut open)),
                YAML_DOCUMENT_START_EVENT | YAML_STREAM_START_EVENT | YAML_STREAM_END_EVENT | YAML_NO_EVENT => {}
                _ => open.push(convert(&*event, shift)),
            }
            yaml_event_delete(event);
            if kind == YAML_STREAM_END_EVENT || kind == YAML_NO_EVENT {
                break;
            }
        }
        yaml_parser_delete(parser);
    }
    outcome
}

/// # Safety
/// `event` must come from libyaml and not be deleted yet.
unsafe fn convert(event: &yaml_event_t, shift: u64) -> Event {
    let start = Some(event.start_mark.index + shift);
    let end = Some(event.end_mark.index + shift);
    // SAFETY: as the caller promises; the strings of an event end in NUL.
    unsafe {
        let word = |text: *mut u8| CStr::from_ptr(text.cast()).to_string_lossy().into_owned();
        let properties = |anchor: *mut u8, tag: *mut u8| {
            let mut text = String::new();
            if !anchor.is_null() {
                text = format!(" &{}", word(anchor));
            }
            if !tag.is_null() {
                text = format!("{text} <{}>", word(tag));
            }
            text
        };
        match event.type_ {
            YAML_ALIAS_EVENT => Event { what: format!("=ALI *{}", word(event.data.alias.anchor)), start, end },
            YAML_SCALAR_EVENT => {
                let scalar = &event.data.scalar;
                let value = std::slice::from_raw_parts(scalar.value, scalar.length as usize);
                let (mark, end) = match scalar.style {
                    YAML_SINGLE_QUOTED_SCALAR_STYLE => ('\'', end),
                    YAML_DOUBLE_QUOTED_SCALAR_STYLE => ('"', end),
                    YAML_LITERAL_SCALAR_STYLE => ('|', None),
                    YAML_FOLDED_SCALAR_STYLE => ('>', None),
                    _ => (':', end),
                };
                let properties = properties(scalar.anchor, scalar.tag);
                let is_nothing = mark == ':' && value.is_empty();
                let start = start.filter(|_| !is_nothing || !properties.is_empty());
                let what = format!("=VAL{properties} {mark}{}", String::from_utf8_lossy(value));
                Event { what, start, end: end.filter(|_| !is_nothing) }
            }
            YAML_SEQUENCE_START_EVENT => {
                let data = &event.data.sequence_start;
                let flow = if data.style == YAML_FLOW_SEQUENCE_STYLE { " flow" } else { "" };
                Event { what: format!("+SEQ{}{flow}", properties(data.anchor, data.tag)), start, end: None }
            }
            YAML_MAPPING_START_EVENT => {
                let data = &event.data.mapping_start;
                let flow = if data.style == YAML_FLOW_MAPPING_STYLE { " flow" } else { "" };
                Event { what: format!("+MAP{}{flow}", properties(data.anchor, data.tag)), start, end: None }
            }
            YAML_SEQUENCE_END_EVENT => Event { what: "-SEQ".into(), start: None, end },
            YAML_MAPPING_END_EVENT => Event { what: "-MAP".into(), start: None, end },
            other => panic!("unexpected event {other:?}"),
        }
    }
}
