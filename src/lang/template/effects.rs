//! What a part of a template could change, were it run: for parts nobody can tell whether they are.

use super::ast::{Branch, Operand, OperandKind, Pipe, Statement, StatementKind};

/// What running a statement may change outside of it.
#[derive(Debug, Default)]
pub(super) struct Effects<'t> {
    /// Variables that are assigned, with their `$`.
    pub assigned: Vec<&'t str>,
    /// Whether a map may be changed in place.
    pub mutates: bool,
    /// Whether a list of texts may be sorted in place.
    pub sorts: bool,
    /// Whether it may leave or restart the loop around it.
    pub jumps: bool,
}

impl<'t> Effects<'t> {
    /// The effects of these statements.
    pub fn of(statements: impl IntoIterator<Item = &'t Statement>) -> Effects<'t> {
        let mut effects = Effects::default();
        statements.into_iter().for_each(|statement| effects.add(statement, false));
        effects
    }

    fn add(&mut self, statement: &'t Statement, in_loop: bool) {
        match &statement.kind {
            StatementKind::Text => {}
            StatementKind::Break | StatementKind::Continue => self.jumps |= !in_loop,
            StatementKind::Action(pipe) => self.add_pipe(pipe),
            StatementKind::If(branch) | StatementKind::With(branch) => self.add_branch(branch, in_loop),
            StatementKind::Range(branch) => self.add_branch(branch, true),
            // The other template may do anything to the maps it is given.
            StatementKind::Template { .. } => self.mutates = true,
        }
    }

    fn add_branch(&mut self, branch: &'t Branch, in_loop: bool) {
        self.add_pipe(&branch.pipe);
        branch.body.iter().chain(branch.otherwise.iter().flatten()).for_each(|statement| self.add(statement, in_loop));
    }

    fn add_pipe(&mut self, pipe: &'t Pipe) {
        if pipe.assigns {
            self.assigned.extend(pipe.variables.iter().map(|name| name.text.as_str()));
        }
        pipe.commands.iter().flat_map(|command| &command.operands).for_each(|operand| self.add_operand(operand));
    }

    fn add_operand(&mut self, operand: &'t Operand) {
        match &operand.kind {
            OperandKind::Function(function) => {
                self.mutates |= function.mutates();
                self.sorts |= function.name == "sortAlpha";
            }
            OperandKind::Pipe(pipe) => self.add_pipe(pipe),
            OperandKind::Chain(first, _) => self.add_operand(first),
            _ => {}
        }
    }
}
