//! Evaluating pipelines: operands, fields, variables, and the calls of functions and methods.

use super::ast::{Command, Name, Number, Operand, OperandKind, Pipe};
use super::datum::{Datum, MapKind, Slot};
use super::env::Fault;
use super::error::{Error, ErrorKind};
use super::eval::{At, Run, Variable};
use super::functions::{Body, Call, Function, Type, builtin, versions};
use super::{MissingKey, NoticeKind, literal};

impl<'a> Run<'a> {
    /// The value of a pipeline; declares or assigns its variables.
    pub(super) fn pipe(&mut self, pipe: &'a Pipe, dot: &Slot) -> Result<Slot, Error> {
        self.at = At::Pipe(pipe);
        let lost = self.env.lost.borrow().clone();
        let slot = match lost {
            Some(why) => Slot::from(Datum::Unknown(why)),
            None => self.deeper(|run| {
                let mut last = None;
                for command in &pipe.commands {
                    let slot = run.command(command, dot, last)?;
                    // Go looks inside an interface here: a null in it becomes no value.
                    last = Some(Slot::from(slot.datum));
                }
                Ok(last.unwrap_or_default())
            })?,
        };
        for name in &pipe.variables {
            if pipe.assigns {
                self.assign(&name.text, slot.clone())?;
            } else {
                self.variables.push(Variable { name: &name.text, slot: slot.clone() });
            }
        }
        Ok(slot)
    }

    fn command(&mut self, command: &'a Command, dot: &Slot, last: Option<Slot>) -> Result<Slot, Error> {
        let (first, arguments) = command.operands.split_first().expect("the parser refuses empty commands");
        match &first.kind {
            OperandKind::Field(names) => {
                self.at = At::Operand(first);
                self.fields(dot.clone(), names, first, arguments, last, dot)
            }
            OperandKind::Chain(inner, names) => {
                let receiver = self.chain_start(first, inner, dot)?;
                self.fields(receiver, names, first, arguments, last, dot)
            }
            OperandKind::Function(function) => {
                self.at = At::Operand(first);
                self.call(function, At::Command(command), None, arguments, last, dot)
            }
            OperandKind::Pipe(pipe) => {
                self.no_arguments(first, arguments, &last)?;
                self.pipe(pipe, dot)
            }
            OperandKind::Variable(names) => self.variable(first, names, arguments, last, dot),
            _ => {
                self.at = At::Operand(first);
                self.no_arguments(first, arguments, &last)?;
                match &first.kind {
                    OperandKind::Dot => Ok(dot.clone()),
                    OperandKind::Nil => Err(self.fail("nil is not a command")),
                    _ => self.constant(first).map(Slot::from),
                }
            }
        }
    }

    fn no_arguments(&self, first: &Operand, arguments: &[Operand], last: &Option<Slot>) -> Result<(), Error> {
        if arguments.is_empty() && last.is_none() {
            return Ok(());
        }
        Err(self.fail(format!("can't give argument to non-function {first}")))
    }

    /// What stands before the fields of a chain.
    fn chain_start(&mut self, chain: &'a Operand, inner: &'a Operand, dot: &Slot) -> Result<Slot, Error> {
        self.at = At::Operand(chain);
        self.at = At::Operand(inner);
        match &inner.kind {
            OperandKind::Pipe(pipe) => self.pipe(pipe, dot),
            OperandKind::Function(function) => self.call(function, At::Operand(inner), None, &[], None, dot),
            _ => Err(self.fail(format!("indirection through explicit nil in {chain}"))),
        }
    }

    fn variable(
        &mut self,
        node: &'a Operand,
        names: &'a [Name],
        arguments: &'a [Operand],
        last: Option<Slot>,
        dot: &Slot,
    ) -> Result<Slot, Error> {
        self.at = At::Operand(node);
        let (first, fields) = names.split_first().expect("a variable has a name");
        let found = self.variables.iter().rev().find(|variable| variable.name == first.text);
        let Some(slot) = found.map(|variable| variable.slot.clone()) else {
            return Err(self.fail(format!("undefined variable: {}", first.text)));
        };
        if fields.is_empty() {
            self.no_arguments(node, arguments, &last)?;
            return Ok(slot);
        }
        self.fields(slot, fields, node, arguments, last, dot)
    }

    /// `.a.b.c` of a receiver; arguments go to the last one.
    fn fields(
        &mut self,
        mut receiver: Slot,
        names: &'a [Name],
        node: &'a Operand,
        arguments: &'a [Operand],
        last: Option<Slot>,
        dot: &Slot,
    ) -> Result<Slot, Error> {
        let (final_name, before) = names.split_last().expect("a field has a name");
        for name in before {
            receiver = self.field(receiver, name, node, &[], None, dot)?;
        }
        self.field(receiver, final_name, node, arguments, last, dot)
    }

    fn field(
        &mut self,
        receiver: Slot,
        name: &'a Name,
        node: &'a Operand,
        arguments: &'a [Operand],
        last: Option<Slot>,
        dot: &Slot,
    ) -> Result<Slot, Error> {
        let field = &name.text;
        let missing = |run: &Run<'a>, message: String| run.error(ErrorKind::MissingKey, name.bytes, message);
        match &receiver.datum {
            Datum::Unknown(_) => Ok(receiver),
            Datum::Partial(map, why) => Ok(match map.entries.borrow().get(field.as_str()) {
                Some(datum) => Slot { datum: datum.clone(), is_boxed: map.kind == MapKind::Any },
                None => Slot::from(Datum::Unknown(why.clone())),
            }),
            Datum::Nil if receiver.is_boxed => {
                Err(self.error(ErrorKind::Exec, name.bytes, format!("nil pointer evaluating interface {{}}.{field}")))
            }
            Datum::Nil if self.env.options.missing_key == MissingKey::Error => {
                Err(missing(self, format!("nil data; no entry for key {}", literal::quote(field, false))))
            }
            Datum::Nil => Ok(Slot::default()),
            Datum::Map(_) if !arguments.is_empty() || last.is_some() => {
                Err(self.fail(format!("{field} is not a method but has arguments")))
            }
            Datum::Map(map) => {
                let found = map.entries.borrow().get(field.as_str()).cloned();
                if found.is_none() {
                    self.notice(NoticeKind::AbsentKey, name.bytes);
                }
                match (found, self.env.options.missing_key) {
                    (Some(datum), _) => Ok(Slot { datum, is_boxed: map.kind == MapKind::Any }),
                    (None, MissingKey::Invalid) => Ok(Slot::default()),
                    (None, MissingKey::Zero) => Ok(builtin::zero_of(map)),
                    (None, MissingKey::Error) => {
                        Err(missing(self, format!("map has no entry for key {}", literal::quote(field, false))))
                    }
                }
            }
            Datum::Version(_) if let Some(method) = versions::method(field) => {
                self.call(method, At::Operand(node), Some(receiver.datum), arguments, last, dot)
            }
            Datum::Version(_) if versions::FIELDS.contains(&field.as_str()) => {
                let message = format!("{field} is an unexported field of struct type {}", receiver.type_name());
                Err(self.fail(message))
            }
            _ => {
                let message = format!("can't evaluate field {field} in type {}", receiver.type_name());
                Err(self.error(ErrorKind::Exec, name.bytes, message))
            }
        }
    }

    /// The value of a literal where any type is welcome.
    fn constant(&self, operand: &Operand) -> Result<Datum, Error> {
        match &operand.kind {
            OperandKind::Bool(bool) => Ok(Datum::Bool(*bool)),
            OperandKind::String { text: Some(text), .. } => Ok(Datum::string(text.as_str())),
            OperandKind::String { text: None, .. } => {
                self.env.has_unknowns.set(true);
                Ok(Datum::runtime("bytes that are no UTF-8 text"))
            }
            OperandKind::Number(number) => self.ideal(number),
            _ => Err(self.fail(format!("can't evaluate command {}", literal::quote(&operand.to_string(), false)))),
        }
    }

    /// The type of a number that nothing else gives one.
    fn ideal(&self, number: &Number) -> Result<Datum, Error> {
        let text = number.text.as_str();
        let is_hexadecimal =
            (text.starts_with("0x") || text.starts_with("0X")) && text.len() > 2 && !text.contains(['p', 'P']);
        let reads_as_float = !is_hexadecimal && !text.starts_with('\'') && text.contains(['.', 'e', 'E', 'p', 'P']);
        match number {
            Number { complex: Some((real, imaginary)), .. } => Ok(Datum::Complex(*real, *imaginary)),
            Number { float: Some(float), .. } if reads_as_float => Ok(Datum::Float(*float)),
            Number { int: Some(int), .. } => Ok(Datum::int(*int)),
            _ => Err(self.fail(format!("{text} overflows int"))),
        }
    }

    /// Calls a function. `node` is what errors inside it are about; `last` is the value piped in.
    fn call(
        &mut self,
        function: &'static Function,
        node: At<'a>,
        receiver: Option<Datum>,
        arguments: &'a [Operand],
        last: Option<Slot>,
        dot: &Slot,
    ) -> Result<Slot, Error> {
        let given = arguments.len() + usize::from(last.is_some());
        self.check_count(function, arguments.len(), given)?;
        if let Body::Logic { stops_at } = function.body {
            return self.logic(stops_at, arguments, last, dot);
        }
        let kind_of = |at: usize| function.params.get(at).copied().or(function.rest).unwrap_or(Type::Any);
        let mut slots: Vec<Slot> = receiver.map(Slot::from).into_iter().collect();
        for (at, argument) in arguments.iter().enumerate() {
            slots.push(self.argument(argument, kind_of(at), dot)?);
        }
        if let Some(last) = last {
            slots.push(self.checked(last, kind_of(given - 1))?);
        }
        let result = self.result(function, arguments, &slots);
        self.returned(function, node, result, given)
    }

    fn check_count(&self, function: &Function, written: usize, given: usize) -> Result<(), Error> {
        let (name, fixed) = (function.name, function.params.len());
        let message = match function.rest {
            Some(_) if given < fixed => format!("want at least {fixed} got {written}"),
            None if given != fixed => format!("want {fixed} got {given}"),
            _ => return Ok(()),
        };
        Err(self.fail(format!("wrong number of args for {name}: {message}")))
    }

    fn returned(
        &mut self,
        function: &Function,
        node: At<'a>,
        result: Result<Datum, Fault>,
        given: usize,
    ) -> Result<Slot, Error> {
        match result {
            // What a function of no arguments returns has the type it declares.
            Ok(datum) => Ok(Slot { is_boxed: given == 0 && matches!(datum, Datum::Nil), datum }),
            Err(Fault::Unknown(why)) => {
                self.env.has_unknowns.set(true);
                if function.mutates() {
                    // What it did to its map cannot be told.
                    self.env.lost.borrow_mut().get_or_insert_with(|| why.clone());
                }
                Ok(Slot::from(Datum::Unknown(why)))
            }
            Err(Fault::Failed(message)) => {
                self.at = node;
                Err(self.fail(format!("error calling {}: {message}", function.name)))
            }
            Err(fault @ Fault::Limit(_)) => {
                self.at = node;
                Err(self.fault(fault))
            }
        }
    }

    fn result(&mut self, function: &'static Function, arguments: &[Operand], slots: &[Slot]) -> Result<Datum, Fault> {
        self.env.spend(1)?;
        if !function.is_partial {
            for slot in slots {
                if let Some(why) = self.env.undecided(&slot.datum)? {
                    return Err(Fault::Unknown(why));
                }
            }
        }
        let call = Call { args: slots, env: self.env };
        match function.body {
            Body::Plain(body) => body(&call),
            Body::Undecidable(what) => Err(Fault::runtime(what)),
            Body::Called => builtin::call(&call, arguments.first()),
            Body::Logic { .. } => Ok(Datum::Nil),
        }
    }

    /// `and`, `or`: stops at the first argument whose truth is `stops_at`, without evaluating the others.
    fn logic(
        &mut self,
        stops_at: bool,
        arguments: &'a [Operand],
        last: Option<Slot>,
        dot: &Slot,
    ) -> Result<Slot, Error> {
        let mut slot = Slot::default();
        for argument in arguments {
            slot = self.argument(argument, Type::Value, dot)?;
            match slot.datum.truth() {
                Some(truth) if truth != stops_at => {}
                _ => return Ok(slot),
            }
        }
        Ok(last.unwrap_or(slot))
    }

    fn argument(&mut self, operand: &'a Operand, kind: Type, dot: &Slot) -> Result<Slot, Error> {
        self.at = At::Operand(operand);
        let slot = match &operand.kind {
            OperandKind::Dot => dot.clone(),
            OperandKind::Nil => {
                return match kind.nil() {
                    Some(datum) => Ok(Slot::from(datum)),
                    None => Err(self.fail(format!("cannot assign nil to {}", kind.name()))),
                };
            }
            OperandKind::Field(names) => self.fields(dot.clone(), names, operand, &[], None, dot)?,
            OperandKind::Variable(names) => self.variable(operand, names, &[], None, dot)?,
            OperandKind::Pipe(pipe) => self.pipe(pipe, dot)?,
            OperandKind::Function(function) => self.call(function, At::Operand(operand), None, &[], None, dot)?,
            OperandKind::Chain(inner, names) => {
                let receiver = self.chain_start(operand, inner, dot)?;
                self.fields(receiver, names, operand, &[], None, dot)?
            }
            _ => return self.literal(operand, kind).map(Slot::from),
        };
        self.checked(slot, kind)
    }

    /// A literal as an argument of this type.
    fn literal(&self, operand: &Operand, kind: Type) -> Result<Datum, Error> {
        let number = match &operand.kind {
            OperandKind::Number(number) => Some(number),
            _ => None,
        };
        let (value, expected) = match kind {
            Type::Any | Type::Value => return self.constant(operand),
            Type::Bool if matches!(operand.kind, OperandKind::Bool(_)) => return self.constant(operand),
            Type::String if matches!(operand.kind, OperandKind::String { .. }) => return self.constant(operand),
            Type::Int => (number.and_then(|number| number.int).map(Datum::int), "integer"),
            Type::Uint32 => {
                (number.and_then(|number| number.uint).map(|value| Datum::int(value as i64)), "unsigned integer")
            }
            Type::Float => (number.and_then(|number| number.float).map(Datum::Float), "float"),
            Type::Bool => (None, "bool"),
            Type::String => (None, "string"),
            Type::Map | Type::List | Type::Version | Type::Opaque(_) => {
                return Err(self.fail(format!("can't handle {operand} for arg of type {}", kind.name())));
            }
        };
        value.ok_or_else(|| self.fail(format!("expected {expected}; found {operand}")))
    }

    /// The value as an argument of this type, when Go accepts it there.
    fn checked(&self, slot: Slot, kind: Type) -> Result<Slot, Error> {
        match (&slot.datum, kind) {
            (Datum::Unknown(_) | Datum::Partial(..), _) | (_, Type::Any | Type::Value) => Ok(slot),
            (Datum::Nil, _) if !slot.is_boxed => match kind.nil() {
                Some(datum) => Ok(Slot::from(datum)),
                None => Err(self.fail(format!("invalid value; expected {}", kind.name()))),
            },
            (Datum::Nil, _) => {
                Err(self.fail(format!("wrong type for value; expected {}; got interface {{}}", kind.name())))
            }
            (datum, _) if kind.accepts(datum) => Ok(Slot::from(slot.datum)),
            (datum, _) => {
                let (expected, got) = (kind.name(), datum.type_name());
                Err(self.fail(format!("wrong type for value; expected {expected}; got {got}")))
            }
        }
    }
}
