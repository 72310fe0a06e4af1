//! Running statements: what is written where, and what stays open.

use super::ast::{Branch, Bytes, Command, Operand, Pipe, Place, Statement, StatementKind};
use super::datum::{Datum, IntKind, ListKind, MapKind, Slot};
use super::effects::Effects;
use super::env::{Env, Fault, random_order};
use super::error::{Error, ErrorKind};
use super::{Data, Definition, NoticeKind, Options, Source, Template, fmt, literal};
use crate::text::limits::TEMPLATE_BYTES;
use crate::text::{Span, Spanned};
use crate::value::{Piece, Text, Unknown, Why};
use std::rc::Rc;

/// Runs a template; see [`Template::render`].
pub(super) fn render(
    template: &Template,
    data: &Data,
    options: &Options,
    place: &dyn Fn(&Source, Bytes) -> Span,
) -> Result<Text, Error> {
    let env = Env::new(template, options, data);
    let mut text = run(&env, template, Slot::from(data.root.clone()), place)?;
    if text.pieces().is_empty() {
        let source = template.source();
        text = Text::known_at("", place(source, Bytes::new(0, source.text.len())));
    }
    Ok(text)
}

/// Runs the main template of `set` over `dot`.
pub(super) fn run(
    env: &Env<'_>,
    set: &Template,
    dot: Slot,
    place: &dyn Fn(&Source, Bytes) -> Span,
) -> Result<Text, Error> {
    let main = set.main();
    let mut run = Run {
        env,
        variables: Vec::new(),
        at: At::Start,
        set,
        source: &main.source,
        name: &set.name,
        place,
        out: Text::default(),
        written: 0,
    };
    run.template(&set.name, main, dot)?;
    Ok(run.out)
}

/// A node, for error texts.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    Start,
    Statement(&'a Statement),
    Pipe(&'a Pipe),
    Command(&'a Command),
    Operand(&'a Operand),
}

impl At<'_> {
    fn place(self) -> Place {
        match self {
            At::Start => Place::default(),
            At::Statement(statement) => statement.place,
            At::Pipe(pipe) => pipe.place,
            At::Command(command) => command.place,
            At::Operand(operand) => operand.place,
        }
    }

    fn shown(self) -> String {
        match self {
            At::Start => String::new(),
            At::Statement(statement) => statement.to_string(),
            At::Pipe(pipe) => pipe.to_string(),
            At::Command(command) => command.to_string(),
            At::Operand(operand) => operand.to_string(),
        }
    }
}

/// A variable on the stack; the name has its `$`.
pub(super) struct Variable<'a> {
    pub name: &'a str,
    pub slot: Slot,
}

/// Where running goes on.
enum Flow {
    Next,
    Break,
    Continue,
    /// Whether the rest of the loop runs is open; why.
    Lost(Rc<Why>),
}

/// One rendering on its way.
pub(super) struct Run<'a> {
    pub env: &'a Env<'a>,
    pub variables: Vec<Variable<'a>>,
    /// The node errors are about, as Go keeps it.
    pub at: At<'a>,
    set: &'a Template,
    /// Where the template that runs was written.
    source: &'a Source,
    /// The name of the template that runs.
    name: &'a str,
    place: &'a dyn Fn(&Source, Bytes) -> Span,
    out: Text,
    written: usize,
}

impl<'a> Run<'a> {
    /// An error at the current node.
    pub fn fail(&self, message: impl Into<String>) -> Error {
        self.error(ErrorKind::Exec, self.at.place().bytes, message.into())
    }

    pub fn error(&self, kind: ErrorKind, bytes: Bytes, message: String) -> Error {
        let before = Bytes { start: 0, end: self.at.place().position }.of(&self.source.text);
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        let (name, context) = (literal::quote(self.name, false), self.at.shown());
        let text =
            format!("template: {}:{line}:{column}: executing {name} at <{context}>: {message}", self.source.name);
        Error { kind, bytes, message, text }
    }

    /// The error for a fault of the machinery, outside of any function.
    pub fn fault(&self, fault: Fault) -> Error {
        match fault {
            Fault::Limit(message) => self.error(ErrorKind::Limit, self.at.place().bytes, message),
            Fault::Failed(message) => self.fail(message),
            Fault::Unknown(_) => self.fail("value is unknown"),
        }
    }

    /// Runs `inner` one level deeper.
    pub fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.env.enter().map_err(|fault| self.fault(fault))?;
        let result = inner(self);
        self.env.leave();
        result
    }

    fn template(&mut self, name: &'a str, definition: &'a Definition, dot: Slot) -> Result<(), Error> {
        let variables = std::mem::replace(&mut self.variables, vec![Variable { name: "$", slot: dot.clone() }]);
        let outer = (self.name, self.source);
        (self.name, self.source) = (name, &definition.source);
        let result = self.list(&definition.body, &dot);
        self.variables = variables;
        result?;
        (self.name, self.source) = outer;
        Ok(())
    }

    fn list(&mut self, statements: &'a [Statement], dot: &Slot) -> Result<Flow, Error> {
        self.deeper(|run| {
            for statement in statements {
                match run.statement(statement, dot)? {
                    Flow::Next => {}
                    flow => return Ok(flow),
                }
            }
            Ok(Flow::Next)
        })
    }

    fn statement(&mut self, statement: &'a Statement, dot: &Slot) -> Result<Flow, Error> {
        self.at = At::Statement(statement);
        match &statement.kind {
            StatementKind::Text => {
                let bytes = statement.place.bytes;
                self.write(bytes.of(&self.source.text), bytes)?;
            }
            StatementKind::Action(pipe) => {
                let slot = self.pipe(pipe, dot)?;
                if pipe.variables.is_empty() {
                    self.at = At::Statement(statement);
                    self.print(&slot.datum, statement.place.bytes)?;
                }
            }
            StatementKind::If(branch) => return self.branch(statement, branch, dot, false),
            StatementKind::With(branch) => return self.branch(statement, branch, dot, true),
            StatementKind::Range(branch) => return self.range(statement, branch, dot),
            StatementKind::Template { name, pipe } => {
                let Some(definition) = self.set.definitions.get(name) else {
                    return Err(self.fail(format!("template {} not defined", literal::quote(name, false))));
                };
                let inner = pipe.as_ref().map(|pipe| self.pipe(pipe, dot)).transpose()?.unwrap_or_default();
                self.template(name, definition, inner)?;
            }
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn branch(
        &mut self,
        statement: &'a Statement,
        branch: &'a Branch,
        dot: &Slot,
        sets_dot: bool,
    ) -> Result<Flow, Error> {
        let mark = self.variables.len();
        let slot = self.pipe(&branch.pipe, dot)?;
        let flow = match slot.datum.truth() {
            None => self.skip(statement, &slot.datum),
            Some(true) => self.list(&branch.body, if sets_dot { &slot } else { dot })?,
            Some(false) => match &branch.otherwise {
                Some(otherwise) => self.list(otherwise, dot)?,
                None => Flow::Next,
            },
        };
        self.variables.truncate(mark);
        Ok(flow)
    }

    fn range(&mut self, statement: &'a Statement, branch: &'a Branch, dot: &Slot) -> Result<Flow, Error> {
        let outer = self.variables.len();
        let slot = self.pipe(&branch.pipe, dot)?;
        let flow = self.range_over(statement, branch, &slot.datum, dot);
        self.variables.truncate(outer);
        flow
    }

    fn range_over(
        &mut self,
        statement: &'a Statement,
        branch: &'a Branch,
        over: &Datum,
        dot: &Slot,
    ) -> Result<Flow, Error> {
        let mut is_empty = true;
        match over {
            Datum::Nil => {}
            Datum::Unknown(_) | Datum::Partial(..) => return Ok(self.skip(statement, over)),
            Datum::List(list) if list.is_unordered() => {
                return Ok(self.skip(statement, &Datum::Unknown(random_order())));
            }
            Datum::Int(_, value) if branch.pipe.variables.len() > 1 => {
                return Err(self.fail(format!("can't use {value} to iterate over more than one variable")));
            }
            Datum::Int(kind, value) => {
                let count = if *kind == IntKind::Uint64 { *value as u64 } else { (*value).max(0) as u64 };
                for at in 0..count {
                    is_empty = false;
                    let element = Slot::from(Datum::Int(*kind, at as i64));
                    if !self.iterate(branch, Slot::default(), element)? {
                        break;
                    }
                }
            }
            Datum::List(list) => {
                for (at, item) in list.items().iter().enumerate() {
                    is_empty = false;
                    let element = Slot { datum: item.clone(), is_boxed: list.kind == ListKind::Any };
                    if !self.iterate(branch, Slot::from(Datum::int(at as i64)), element)? {
                        break;
                    }
                }
            }
            Datum::Map(map) => {
                let entries: Vec<(Rc<str>, Datum)> =
                    map.entries.borrow().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                for (key, value) in entries {
                    is_empty = false;
                    let element = Slot { datum: value, is_boxed: map.kind == MapKind::Any };
                    if !self.iterate(branch, Slot::from(Datum::String(key)), element)? {
                        break;
                    }
                }
            }
            other => {
                let shown = fmt::sprint(self.env, other).map_err(|fault| self.fault(fault))?;
                return Err(self.fail(format!("range can't iterate over {shown}")));
            }
        }
        match &branch.otherwise {
            // The loop that did not run takes a break all the same; a continue belongs to the one around it.
            Some(otherwise) if is_empty => Ok(match self.list(otherwise, dot)? {
                Flow::Break => Flow::Next,
                flow => flow,
            }),
            _ => Ok(Flow::Next),
        }
    }

    /// One round of a loop; whether the next one follows.
    fn iterate(&mut self, branch: &'a Branch, index: Slot, element: Slot) -> Result<bool, Error> {
        let mark = self.variables.len();
        let (names, assigns) = (&branch.pipe.variables, branch.pipe.assigns);
        match names.as_slice() {
            [] => {}
            [one] if assigns => self.assign(&one.text, element.clone())?,
            [first, second] if assigns => {
                self.assign(&first.text, index)?;
                self.assign(&second.text, element.clone())?;
            }
            [_] => self.variables[mark - 1].slot = element.clone(),
            _ => {
                self.variables[mark - 1].slot = element.clone();
                self.variables[mark - 2].slot = index;
            }
        }
        let flow = self.list(&branch.body, &element)?;
        self.variables.truncate(mark);
        Ok(match flow {
            Flow::Next | Flow::Continue => true,
            Flow::Break => false,
            Flow::Lost(why) => {
                self.lose(&branch.body, &why);
                false
            }
        })
    }

    /// Assigns to the innermost variable of this name.
    pub fn assign(&mut self, name: &str, slot: Slot) -> Result<(), Error> {
        match self.variables.iter_mut().rev().find(|variable| variable.name == name) {
            Some(variable) => {
                variable.slot = slot;
                Ok(())
            }
            None => Err(self.fail(format!("undefined variable: {name}"))),
        }
    }

    /// Leaves a statement open: one unknown piece, and all it could change unknown.
    fn skip(&mut self, statement: &'a Statement, why: &Datum) -> Flow {
        let (Datum::Unknown(why) | Datum::Partial(_, why)) = why else { return Flow::Next };
        self.push_unknown(why, statement.place.bytes);
        if self.lose(std::slice::from_ref(statement), why) { Flow::Lost(why.clone()) } else { Flow::Next }
    }

    /// Makes unknown what these statements could change; whether they could leave the loop around them.
    fn lose(&mut self, statements: &'a [Statement], why: &Rc<Why>) -> bool {
        self.env.has_unknowns.set(true);
        let effects = Effects::of(statements);
        for name in effects.assigned {
            if let Some(variable) = self.variables.iter_mut().rev().find(|variable| variable.name == name) {
                variable.slot = Slot::from(Datum::Unknown(why.clone()));
            }
        }
        if effects.sorts {
            for variable in &mut self.variables {
                if matches!(&variable.slot.datum, Datum::List(list) if list.kind == ListKind::String) {
                    variable.slot = Slot::from(Datum::Unknown(why.clone()));
                }
            }
        }
        if effects.mutates {
            self.env.lost.borrow_mut().get_or_insert_with(|| why.clone());
        }
        effects.jumps
    }

    fn print(&mut self, datum: &Datum, bytes: Bytes) -> Result<(), Error> {
        let undecided = self.env.undecided(datum).map_err(|fault| self.fault(fault))?;
        if let Some(why) = undecided {
            self.push_unknown(&why, bytes);
            return Ok(());
        }
        match datum {
            Datum::Nil => self.notice(NoticeKind::NoValue, bytes),
            Datum::Map(_) => self.notice(NoticeKind::PrintedMap, bytes),
            _ => {}
        }
        let text = match datum {
            Datum::Nil => Ok("<no value>".to_owned()),
            Datum::String(text) => return self.write(text, bytes),
            other => fmt::sprint(self.env, other),
        };
        match text {
            Ok(text) => self.write(&text, bytes),
            Err(Fault::Unknown(why)) => {
                self.push_unknown(&why, bytes);
                Ok(())
            }
            Err(fault) => Err(self.fault(fault)),
        }
    }

    /// Notes what Go passes over, where the bytes are those of the text that is rendered.
    pub fn notice(&self, kind: NoticeKind, bytes: Bytes) {
        if std::ptr::eq(self.source, self.env.template.source()) {
            self.env.data.notice(kind, bytes);
        }
    }

    fn push_unknown(&mut self, why: &Rc<Why>, bytes: Bytes) {
        let span = (self.place)(self.source, bytes);
        self.out.push(Piece::Unknown(Unknown { why: why.as_ref().clone(), span }));
    }

    fn write(&mut self, text: &str, bytes: Bytes) -> Result<(), Error> {
        self.written += text.len();
        if self.written > TEMPLATE_BYTES {
            let message = format!("writes more than {TEMPLATE_BYTES} bytes");
            return Err(self.error(ErrorKind::Limit, bytes, message));
        }
        self.env.spend_bytes(text.len()).map_err(|fault| self.fault(fault))?;
        if !text.is_empty() {
            self.out.push(Piece::Known(Spanned::new(text.to_owned(), (self.place)(self.source, bytes))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, Value};
    use super::*;
    use crate::text::FileId;
    use std::collections::BTreeMap;

    fn map(entries: &[(&str, Value)]) -> Value {
        Value::Map(entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect::<BTreeMap<_, _>>())
    }

    fn parameters() -> Data {
        let labels = Value::StringMap([("env".to_owned(), "prod".into())].into());
        Data::new(&map(&[
            ("u", Value::Unknown(Why::Cluster)),
            ("s", "text".into()),
            ("l", Value::List(vec!["b".into(), "a".into()])),
            ("m", map(&[("x", Value::Float(1.0)), ("u", Value::Unknown(Why::Cluster)), ("z", Value::Nil)])),
            ("labels", labels),
        ]))
    }

    fn run_over(text: &str, data: &Data) -> Text {
        let place = |_: &Source, bytes: Bytes| Span::new(FileId(0), bytes.start, bytes.end);
        Template::parse("base", text, Dialect::ARGO_CD).unwrap().render(data, &Options::default(), &place).unwrap()
    }

    /// The result, with `?` and the template's bytes for each unknown piece.
    fn shown(text: &str, data: &Data) -> String {
        let result = run_over(text, data);
        let pieces = result.pieces().iter().map(|piece| match piece {
            Piece::Known(known) => known.value.clone(),
            Piece::Unknown(unknown) => format!("?<{}>", &text[unknown.span.range()]),
        });
        pieces.collect()
    }

    #[test]
    fn pieces_know_where_they_come_from() {
        let text = run_over("a-{{ .u }}-{{ .s }}", &parameters());
        let spans: Vec<(u32, u32)> = text
            .pieces()
            .iter()
            .map(|piece| match piece {
                Piece::Known(known) => (known.span.start, known.span.end),
                Piece::Unknown(unknown) => (unknown.span.start, unknown.span.end),
            })
            .collect();
        assert_eq!(spans, [(0, 2), (2, 10), (10, 19)]);
    }

    #[test]
    fn an_empty_result_is_known() {
        assert_eq!(run_over("", &parameters()).as_str(), Some(""));
        assert_eq!(run_over("{{ \"\" }}", &parameters()).as_str(), Some(""));
    }

    #[test]
    fn what_an_unknown_value_decides_is_unknown() {
        for source in [
            "{{ .u }}",
            "{{ .u.x.y }}",
            "{{ .u | upper }}",
            "{{ .u | default \"d\" }}",
            "{{ default .u .s | len }}{{ default .u .zz }}",
            "{{ or .u \"a\" }}",
            "{{ ternary \"a\" \"b\" .u }}",
            "{{ eq .s .u }}",
            "{{ .m }}",
            "{{ toYaml .m }}",
            "{{ list .u | join \",\" }}",
            "{{ index .labels .u }}",
            "{{ dict .u 1 }}",
            "{{ now }}",
            "{{ randAlphaNum 5 }}",
            "{{ keys .m | join \",\" }}",
            "{{ first (keys .m) }}",
        ] {
            let text = run_over(source, &parameters());
            assert!(text.unknowns().next().is_some(), "{source}");
        }
    }

    #[test]
    fn what_no_unknown_value_decides_is_known() {
        for (source, text) in [
            ("{{ default .u .s }}", "text"),
            ("{{ or \"a\" .u }}", "a"),
            ("{{ and \"\" .u }}", ""),
            ("{{ ternary .u \"b\" false }}", "b"),
            ("{{ coalesce \"\" \"c\" .u }}", "c"),
            ("{{ eq .s \"text\" .u }}", "true"),
            ("{{ len (list .u .u) }}", "2"),
            ("{{ (dict \"k\" .u \"l\" 1).l }}", "1"),
            ("{{ .m.x }}{{ hasKey .m \"u\" }}{{ get .m \"x\" }}", "1true1"),
            ("{{ keys .m | sortAlpha | join \",\" }}", "u,x,z"),
            ("{{ keys .labels.zz | join \",\" }}", ""),
            ("{{ range $i, $e := list .u 1 }}{{ $i }}{{ end }}", "01"),
            ("{{ if list .u }}y{{ end }}", "y"),
        ] {
            assert_eq!(shown(source, &parameters()), text, "{source}");
        }
    }

    #[test]
    fn a_block_with_an_unknown_condition_is_one_piece() {
        for (source, text) in [
            ("a{{ if .u }}b{{ else }}c{{ end }}d", "a?<{{ if .u }}b{{ else }}c{{ end }}>d"),
            ("{{ range .u }}x{{ end }}y", "?<{{ range .u }}x{{ end }}>y"),
            ("{{ with .u }}{{ fail . }}{{ end }}", "?<{{ with .u }}{{ fail . }}{{ end }}>"),
            ("{{ if .s }}a{{ else if .u }}b{{ end }}", "a"),
            ("{{ if .zz }}a{{ else if .u }}b{{ end }}", "?<{{ else if .u }}b{{ end }}>"),
        ] {
            assert_eq!(shown(source, &parameters()), text);
        }
    }

    #[test]
    fn an_uncertain_branch_makes_its_assignments_unknown() {
        let source = "{{ $x := 1 }}{{ $y := 2 }}{{ if .u }}{{ $x = 3 }}{{ $y := 4 }}{{ end }}{{ $x }}{{ $y }}";
        assert_eq!(shown(source, &parameters()), "?<{{ if .u }}{{ $x = 3 }}{{ $y := 4 }}{{ end }}>?<{{ $x }}>2");
    }

    #[test]
    fn an_uncertain_change_of_a_map_leaves_nothing_certain() {
        let data = parameters();
        let source = "{{ .s }}{{ if .u }}{{ $_ := set .m \"x\" 2 }}{{ end }}-{{ .s }}";
        let skipped = "?<{{ if .u }}{{ $_ := set .m \"x\" 2 }}{{ end }}>";
        assert_eq!(shown(source, &data), format!("text{skipped}-?<{{{{ .s }}}}>"));
        assert_eq!(shown("{{ .s }}", &data), "?<{{ .s }}>", "also for the next template");
    }

    #[test]
    fn an_uncertain_break_ends_what_is_known_of_a_loop() {
        let source = "{{ $n := 0 }}{{ range .l }}{{ if $.u }}{{ break }}{{ end }}{{ $n = . }}x{{ end }}{{ $n }}y";
        assert_eq!(shown(source, &parameters()), "?<{{ if $.u }}{{ break }}{{ end }}>?<{{ $n }}>y");
    }

    #[test]
    fn what_go_passes_over_is_noted() {
        for (source, kind, part) in [
            ("a{{ .zz }}", NoticeKind::AbsentKey, "zz"),
            ("a{{ .zz }}", NoticeKind::NoValue, "{{ .zz }}"),
            ("{{ .m.zz | default 1 }}", NoticeKind::AbsentKey, "zz"),
            ("{{ .m.z }}", NoticeKind::NoValue, "{{ .m.z }}"),
            ("{{ index .labels }}", NoticeKind::PrintedMap, "{{ index .labels }}"),
            ("{{ define \"d\" }}{{ .s }}{{ .zz }}{{ end }}{{ template \"d\" . }}", NoticeKind::AbsentKey, "zz"),
        ] {
            let data = parameters();
            run_over(source, &data);
            let notices = data.take_notices();
            assert!(notices.iter().any(|it| it.kind == kind && it.bytes.of(source) == part), "{source}: {notices:?}");
            assert!(data.take_notices().is_empty(), "{source}");
        }
    }

    #[test]
    fn what_may_be_there_is_not_noted() {
        for source in
            ["{{ .s }}", "{{ .u.x }}", "{{ .m }}", "{{ index .labels \"zz\" }}", "{{ if .u }}{{ .zz }}{{ end }}"]
        {
            let data = parameters();
            run_over(source, &data);
            assert_eq!(data.take_notices(), [], "{source}");
        }
    }

    #[test]
    fn changes_are_seen_by_the_next_template() {
        let data = parameters();
        assert_eq!(shown("{{ $_ := set . \"new\" .u }}", &data), "");
        assert_eq!(shown("{{ .new }}", &data), "?<{{ .new }}>");
    }
}
