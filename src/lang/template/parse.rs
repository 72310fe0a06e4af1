//! The parser: from tokens to statements.
//!
//! Mirrors Go 1.26, text/template/parse: what it refuses is refused, with the same words and line. Beyond Go, every
//! error has bytes, and nesting is limited.

use super::ast::{Branch, Bytes, Command, Name, Number, Operand, OperandKind, Pipe, Place, Statement, StatementKind};
use super::error::{Error, ErrorKind};
use super::functions::Dialect;
use super::lex::{Lexer, Token, TokenKind, Word};
use super::literal;
use crate::text::limits::TEMPLATE_NESTING;
use std::collections::BTreeMap;

/// The templates that one text defines, by name; its own under the name it was given.
///
/// # Errors
/// The first one, as Go reports it.
pub(super) fn parse(name: &str, text: &str, dialect: &Dialect) -> Result<BTreeMap<String, Vec<Statement>>, Error> {
    let mut parser = Parser {
        name,
        text,
        dialect,
        lexer: Lexer::new(text),
        pushed: Vec::new(),
        line: 1,
        end: 0,
        opened: Bytes::default(),
        action_line: 0,
        variables: vec!["$".to_owned()],
        range_depth: 0,
        nesting: 0,
        definitions: BTreeMap::new(),
    };
    let body = parser.main()?;
    parser.define(name.to_owned(), body, Bytes::new(0, 0))?;
    Ok(parser.definitions)
}

/// Whether there is nothing in a body but white space; comments have left nothing.
pub(super) fn is_empty(body: &[Statement], text: &str) -> bool {
    body.iter().all(|statement| {
        matches!(statement.kind, StatementKind::Text) && statement.place.bytes.of(text).trim().is_empty()
    })
}

struct Parser<'t> {
    name: &'t str,
    text: &'t str,
    dialect: &'t Dialect,
    lexer: Lexer<'t>,
    /// Tokens to read again, the next one last.
    pushed: Vec<Token>,
    /// Line of the last token the lexer gave: the one Go's errors name.
    line: u32,
    /// End of the last token that was taken.
    end: u32,
    /// The delimiter that opened the current action.
    opened: Bytes,
    /// The line the current action started in; 0 outside.
    action_line: u32,
    variables: Vec<String>,
    range_depth: usize,
    nesting: usize,
    definitions: BTreeMap<String, Vec<Statement>>,
}

/// What one step of a list yields.
enum Item {
    Statement(Statement),
    /// `{{end}}`
    End,
    /// `{{else}}`, or its first half when `if` or `with` follows.
    Else(Bytes),
}

impl Item {
    fn shown(&self) -> &'static str {
        if matches!(self, Item::End) { "{{end}}" } else { "{{else}}" }
    }
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Token {
        let token = self.pushed.pop().unwrap_or_else(|| {
            let token = self.lexer.next();
            self.line = token.line;
            token
        });
        if token.kind != TokenKind::Space {
            self.end = token.bytes.end;
        }
        token
    }

    fn next_solid(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != TokenKind::Space {
                return token;
            }
        }
    }

    fn peek(&mut self) -> Token {
        let end = self.end;
        let token = self.next();
        self.end = end;
        self.pushed.push(token.clone());
        token
    }

    fn peek_solid(&mut self) -> Token {
        let end = self.end;
        let token = self.next_solid();
        self.end = end;
        self.pushed.push(token.clone());
        token
    }

    fn error(&self, bytes: Bytes, message: impl Into<String>) -> Error {
        let message = message.into();
        let text = format!("template: {}:{}: {message}", self.name, self.line);
        Error { kind: ErrorKind::Parse, bytes, message, text }
    }

    fn unexpected(&self, token: &Token, context: &str) -> Error {
        let TokenKind::Error(message) = &token.kind else {
            return self.error(token.bytes, format!("unexpected {} in {context}", token.shown(self.text)));
        };
        if self.action_line == 0 || self.action_line == token.line {
            return self.error(token.bytes, message);
        }
        let action = if message.ends_with(" action") { "" } else { " in action" };
        let bytes = if message == "unclosed action" { self.opened } else { token.bytes };
        self.error(bytes, format!("{message}{action} started at {}:{}", self.name, self.action_line))
    }

    fn expect_close(&mut self, context: &str) -> Result<Token, Error> {
        let token = self.next_solid();
        if token.kind == TokenKind::RightDelimiter { Ok(token) } else { Err(self.unexpected(&token, context)) }
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.nesting == TEMPLATE_NESTING {
            let mut error = self.error(self.opened, format!("nested deeper than {TEMPLATE_NESTING} levels"));
            error.kind = ErrorKind::Limit;
            return Err(error);
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    fn main(&mut self) -> Result<Vec<Statement>, Error> {
        let mut statements = Vec::new();
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Eof => return Ok(statements),
                TokenKind::LeftDelimiter => {
                    let delimiter = self.next();
                    let first = self.next_solid();
                    if first.kind == TokenKind::Word(Word::Define) {
                        self.opened = delimiter.bytes;
                        self.definition()?;
                        continue;
                    }
                    self.pushed.extend([first, delimiter]);
                }
                _ => {}
            }
            match self.item()? {
                Item::Statement(statement) => statements.push(statement),
                stray => {
                    let bytes = self.opened.to(Bytes { start: self.end, end: self.end });
                    return Err(self.error(bytes, format!("unexpected {}", stray.shown())));
                }
            }
        }
    }

    /// `{{define "name"}} … {{end}}`, after the keyword.
    fn definition(&mut self) -> Result<(), Error> {
        let opened = self.opened;
        let token = self.next_solid();
        let name = self.template_name(&token, "define clause")?;
        self.expect_close("define clause")?;
        let outer = std::mem::take(&mut self.action_line);
        let (body, _) = self.separate_body(opened, "define clause")?;
        self.action_line = outer;
        self.define(name, body, token.bytes)
    }

    /// The body of a template of its own: it sees no variables and no loop of what is around it.
    fn separate_body(&mut self, opened: Bytes, context: &str) -> Result<(Vec<Statement>, Bytes), Error> {
        let variables = std::mem::replace(&mut self.variables, vec!["$".to_owned()]);
        let range_depth = std::mem::take(&mut self.range_depth);
        let line = self.line;
        let (body, last) = self.nested(|parser| parser.list(opened))?;
        let bytes = opened.to(Bytes { start: self.end, end: self.end });
        (self.variables, self.range_depth) = (variables, range_depth);
        if !matches!(last, Item::End) {
            if context == "block clause" {
                self.line = line;
            }
            return Err(self.error(self.opened, format!("unexpected {} in {context}", last.shown())));
        }
        Ok((body, bytes))
    }

    fn define(&mut self, name: String, body: Vec<Statement>, bytes: Bytes) -> Result<(), Error> {
        match self.definitions.get(&name) {
            Some(old) if !is_empty(old, self.text) => {
                if !is_empty(&body, self.text) {
                    let quoted = literal::quote(&name, false);
                    return Err(self.error(bytes, format!("template: multiple definition of template {quoted}")));
                }
            }
            _ => {
                self.definitions.insert(name, body);
            }
        }
        Ok(())
    }

    /// Statements up to `{{end}}` or `{{else}}`; `opened` is the action they belong to.
    fn list(&mut self, opened: Bytes) -> Result<(Vec<Statement>, Item), Error> {
        let mut statements = Vec::new();
        while self.peek_solid().kind != TokenKind::Eof {
            match self.item()? {
                Item::Statement(statement) => statements.push(statement),
                last => return Ok((statements, last)),
            }
        }
        Err(self.error(opened, "unexpected EOF"))
    }

    fn item(&mut self) -> Result<Item, Error> {
        let token = self.next_solid();
        match token.kind {
            TokenKind::Text => {
                let place = Place { bytes: token.bytes, position: token.bytes.start };
                Ok(Item::Statement(Statement { place, kind: StatementKind::Text }))
            }
            TokenKind::LeftDelimiter => {
                (self.opened, self.action_line) = (token.bytes, token.line);
                let item = self.action();
                if item.is_ok() {
                    self.action_line = 0;
                }
                item
            }
            _ => Err(self.unexpected(&token, "input")),
        }
    }

    fn statement(&self, opened: Bytes, position: u32, kind: StatementKind) -> Item {
        let bytes = opened.to(Bytes { start: self.end, end: self.end });
        Item::Statement(Statement { place: Place { bytes, position }, kind })
    }

    fn action(&mut self) -> Result<Item, Error> {
        let opened = self.opened;
        let token = self.next_solid();
        let TokenKind::Word(word) = token.kind else {
            return self.plain_action(opened, token);
        };
        match word {
            Word::Block => self.block(opened),
            Word::Break | Word::Continue => self.jump(opened, &token, word),
            Word::Else => self.otherwise(opened),
            Word::End => {
                self.expect_close("end")?;
                Ok(Item::End)
            }
            Word::If | Word::Range | Word::With => {
                let (place, branch) = self.branch(opened, word)?;
                let kind = match word {
                    Word::If => StatementKind::If(branch),
                    Word::Range => StatementKind::Range(branch),
                    _ => StatementKind::With(branch),
                };
                Ok(Item::Statement(Statement { place, kind }))
            }
            Word::Template => self.template(opened),
            Word::Dot | Word::Nil | Word::Define => self.plain_action(opened, token),
        }
    }

    fn plain_action(&mut self, opened: Bytes, first: Token) -> Result<Item, Error> {
        let position = first.bytes.start;
        self.pushed.push(first);
        let pipe = self.pipeline("command", &TokenKind::RightDelimiter)?;
        Ok(self.statement(opened, position, StatementKind::Action(pipe)))
    }

    fn jump(&mut self, opened: Bytes, token: &Token, word: Word) -> Result<Item, Error> {
        let (name, kind) = match word {
            Word::Break => ("{{break}}", StatementKind::Break),
            _ => ("{{continue}}", StatementKind::Continue),
        };
        self.expect_close(name)?;
        if self.range_depth == 0 {
            let bytes = opened.to(Bytes { start: self.end, end: self.end });
            return Err(self.error(bytes, format!("{name} outside {{{{range}}}}")));
        }
        Ok(self.statement(opened, token.bytes.start, kind))
    }

    fn otherwise(&mut self, opened: Bytes) -> Result<Item, Error> {
        let next = self.peek_solid();
        if !matches!(next.kind, TokenKind::Word(Word::If | Word::With)) {
            self.expect_close("else")?;
        }
        Ok(Item::Else(opened))
    }

    /// `if`, `with`, `range`, after the keyword.
    fn branch(&mut self, opened: Bytes, word: Word) -> Result<(Place, Branch), Error> {
        let context = match word {
            Word::If => "if",
            Word::With => "with",
            _ => "range",
        };
        let outer_variables = self.variables.len();
        let pipe = self.pipeline(context, &TokenKind::RightDelimiter)?;
        let loops = usize::from(word == Word::Range);
        self.range_depth += loops;
        let (body, last) = self.nested(|parser| parser.list(opened))?;
        self.range_depth -= loops;
        let mut otherwise = None;
        if let Item::Else(delimiter) = last {
            let chained = self.peek();
            otherwise = Some(if matches!(word, Word::If | Word::With) && chained.kind == TokenKind::Word(word) {
                self.next();
                let (place, branch) = self.nested(|parser| parser.branch(delimiter, word))?;
                let kind = if word == Word::If { StatementKind::If(branch) } else { StatementKind::With(branch) };
                vec![Statement { place, kind }]
            } else {
                let (statements, last) = self.nested(|parser| parser.list(opened))?;
                if !matches!(last, Item::End) {
                    return Err(self.error(self.opened, format!("expected end; found {}", last.shown())));
                }
                statements
            });
        }
        self.variables.truncate(outer_variables);
        let bytes = opened.to(Bytes { start: self.end, end: self.end });
        let place = Place { bytes, position: pipe.place.position };
        Ok((place, Branch { pipe, body, otherwise }))
    }

    /// `{{block "name" pipeline}} … {{end}}`, after the keyword: a definition and a call of it.
    fn block(&mut self, opened: Bytes) -> Result<Item, Error> {
        let token = self.next_solid();
        let name = self.template_name(&token, "block clause")?;
        let pipe = self.pipeline("block clause", &TokenKind::RightDelimiter)?;
        let outer = std::mem::take(&mut self.action_line);
        let (body, _) = self.separate_body(opened, "block clause")?;
        self.action_line = outer;
        self.define(name.clone(), body, token.bytes)?;
        let kind = StatementKind::Template { name, pipe: Some(pipe) };
        Ok(self.statement(opened, token.bytes.start, kind))
    }

    /// `{{template "name" pipeline}}`, after the keyword.
    fn template(&mut self, opened: Bytes) -> Result<Item, Error> {
        let token = self.next_solid();
        let name = self.template_name(&token, "template clause")?;
        let next = self.next_solid();
        let mut pipe = None;
        if next.kind != TokenKind::RightDelimiter {
            self.pushed.push(next);
            pipe = Some(self.pipeline("template clause", &TokenKind::RightDelimiter)?);
        }
        Ok(self.statement(opened, token.bytes.start, StatementKind::Template { name, pipe }))
    }

    fn template_name(&mut self, token: &Token, context: &str) -> Result<String, Error> {
        if !matches!(token.kind, TokenKind::String | TokenKind::RawString) {
            return Err(self.unexpected(token, context));
        }
        let bytes = literal::unquote(token.bytes.of(self.text));
        let name = bytes.ok_or_else(|| self.error(token.bytes, "invalid syntax"))?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    /// Declarations and commands up to `end`, which is taken.
    fn pipeline(&mut self, context: &str, end: &TokenKind) -> Result<Pipe, Error> {
        let start = self.peek_solid().bytes.start;
        let mut pipe = Pipe { place: Place::default(), assigns: false, variables: Vec::new(), commands: Vec::new() };
        self.declarations(context, &mut pipe)?;
        let mut last = start;
        loop {
            let token = self.next_solid();
            if token.kind == *end {
                self.check(&pipe, context, token.bytes)?;
                let bytes = Bytes { start, end: last.max(start) };
                pipe.place = Place { bytes, position: start };
                return Ok(pipe);
            }
            match token.kind {
                TokenKind::Bool
                | TokenKind::CharConstant
                | TokenKind::Complex
                | TokenKind::Word(Word::Dot | Word::Nil)
                | TokenKind::Field
                | TokenKind::Identifier
                | TokenKind::Number
                | TokenKind::RawString
                | TokenKind::String
                | TokenKind::Variable
                | TokenKind::LeftParen => {
                    self.pushed.push(token);
                    let command = self.command()?;
                    last = command.place.bytes.end;
                    pipe.commands.push(command);
                }
                _ => return Err(self.unexpected(&token, context)),
            }
        }
    }

    fn declarations(&mut self, context: &str, pipe: &mut Pipe) -> Result<(), Error> {
        loop {
            let variable = self.peek_solid();
            if variable.kind != TokenKind::Variable {
                return Ok(());
            }
            self.next_solid();
            // A space tells `$x foo` from `$x.foo`, so it is put back as well.
            let after = self.peek();
            let next = self.peek_solid();
            match next.kind {
                TokenKind::Assign | TokenKind::Declare => {
                    pipe.assigns = next.kind == TokenKind::Assign;
                    self.next_solid();
                    self.declare(pipe, &variable);
                    return Ok(());
                }
                TokenKind::Char(',') => {
                    self.next_solid();
                    self.declare(pipe, &variable);
                    let more = context == "range" && pipe.variables.len() < 2;
                    if !more {
                        return Err(self.error(next.bytes, format!("too many declarations in {context}")));
                    }
                    let follows = self.peek_solid();
                    if !matches!(follows.kind, TokenKind::Variable | TokenKind::RightDelimiter | TokenKind::RightParen)
                    {
                        return Err(self.error(follows.bytes, "range can only initialize variables"));
                    }
                }
                _ => {
                    if after.kind == TokenKind::Space {
                        self.pushed.push(after);
                    }
                    self.pushed.push(variable);
                    return Ok(());
                }
            }
        }
    }

    fn declare(&mut self, pipe: &mut Pipe, variable: &Token) {
        let text = variable.bytes.of(self.text).to_owned();
        self.variables.push(text.clone());
        pipe.variables.push(Name { text, bytes: variable.bytes });
    }

    fn check(&self, pipe: &Pipe, context: &str, end: Bytes) -> Result<(), Error> {
        if pipe.commands.is_empty() {
            let bytes = if context == "parenthesized pipeline" { end } else { self.opened.to(end) };
            return Err(self.error(bytes, format!("missing value for {context}")));
        }
        for (at, command) in pipe.commands.iter().enumerate().skip(1) {
            if matches!(
                command.operands[0].kind,
                OperandKind::Bool(_)
                    | OperandKind::Dot
                    | OperandKind::Nil
                    | OperandKind::Number(_)
                    | OperandKind::String { .. }
            ) {
                let message = format!("non executable command in pipeline stage {}", at + 1);
                return Err(self.error(command.place.bytes, message));
            }
        }
        Ok(())
    }

    /// Operands up to `|`, which is taken, or to the end of the pipeline, which is not.
    fn command(&mut self) -> Result<Command, Error> {
        let start = self.peek_solid().bytes.start;
        let mut operands: Vec<Operand> = Vec::new();
        loop {
            let next = self.peek_solid();
            if let Some(operand) = self.operand()? {
                operands.push(operand);
            }
            let token = self.next();
            match token.kind {
                TokenKind::Space => continue,
                TokenKind::RightDelimiter | TokenKind::RightParen => self.pushed.push(token),
                TokenKind::Pipe => {}
                _ => return Err(self.unexpected(&token, "operand")),
            }
            let Some(last) = operands.last() else {
                return Err(self.error(next.bytes, "empty command"));
            };
            let bytes = Bytes { start, end: last.place.bytes.end };
            return Ok(Command { place: Place { bytes, position: start }, operands });
        }
    }

    /// A term and the fields after it; `None` when the next token starts none.
    fn operand(&mut self) -> Result<Option<Operand>, Error> {
        let Some(mut operand) = self.term()? else { return Ok(None) };
        let first = self.peek();
        if first.kind != TokenKind::Field {
            return Ok(Some(operand));
        }
        let mut names = Vec::new();
        while self.peek().kind == TokenKind::Field {
            let token = self.next();
            names.push(field(&token, self.text));
        }
        operand.place.bytes.end = names.last().map_or(self.end, |name| name.bytes.end);
        let place = Place { bytes: operand.place.bytes, position: first.bytes.start };
        let kind = match operand.kind {
            OperandKind::Field(mut before) => {
                before.extend(names);
                OperandKind::Field(before)
            }
            OperandKind::Variable(mut before) => {
                before.extend(names);
                OperandKind::Variable(before)
            }
            OperandKind::Bool(_)
            | OperandKind::String { .. }
            | OperandKind::Number(_)
            | OperandKind::Nil
            | OperandKind::Dot => {
                let shown = literal::quote(&operand.to_string(), false);
                return Err(self.error(operand.place.bytes, format!("unexpected . after term {shown}")));
            }
            _ => OperandKind::Chain(Box::new(operand), names),
        };
        Ok(Some(Operand { place, kind }))
    }

    fn term(&mut self) -> Result<Option<Operand>, Error> {
        let token = self.next_solid();
        let word = token.bytes.of(self.text);
        let mut place = Place { bytes: token.bytes, position: token.bytes.start };
        let kind = match token.kind {
            TokenKind::Identifier => OperandKind::Function(self.dialect.function(word).ok_or_else(|| {
                self.error(token.bytes, format!("function {} not defined", literal::quote(word, false)))
            })?),
            TokenKind::Word(Word::Dot) => OperandKind::Dot,
            TokenKind::Word(Word::Nil) => OperandKind::Nil,
            TokenKind::Variable => {
                if !self.variables.iter().any(|name| name == word) {
                    let message = format!("undefined variable {}", literal::quote(word, false));
                    return Err(self.error(token.bytes, message));
                }
                OperandKind::Variable(vec![Name { text: word.to_owned(), bytes: token.bytes }])
            }
            TokenKind::Field => OperandKind::Field(vec![field(&token, self.text)]),
            TokenKind::Bool => OperandKind::Bool(word == "true"),
            TokenKind::CharConstant | TokenKind::Complex | TokenKind::Number => {
                let number = Number::read(word, &token.kind).map_err(|message| self.error(token.bytes, message))?;
                OperandKind::Number(Box::new(number))
            }
            TokenKind::LeftParen => {
                let pipe = self.nested(|parser| parser.pipeline("parenthesized pipeline", &TokenKind::RightParen))?;
                place = Place { bytes: token.bytes.to(Bytes { start: self.end, end: self.end }), ..pipe.place };
                OperandKind::Pipe(Box::new(pipe))
            }
            TokenKind::String | TokenKind::RawString => {
                let bytes = literal::unquote(word).ok_or_else(|| self.error(token.bytes, "invalid syntax"))?;
                OperandKind::String { quoted: word.to_owned(), text: String::from_utf8(bytes).ok() }
            }
            _ => {
                self.pushed.push(token);
                return Ok(None);
            }
        };
        Ok(Some(Operand { place, kind }))
    }
}

fn field(token: &Token, text: &str) -> Name {
    let bytes = Bytes { start: token.bytes.start + 1, ..token.bytes };
    Name { text: bytes.of(text).to_owned(), bytes }
}
