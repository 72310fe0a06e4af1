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

/// The jumps that a loop around a statement takes.
#[derive(Clone, Copy, Default)]
struct Taken {
    breaks: bool,
    continues: bool,
}

impl<'t> Effects<'t> {
    /// The effects of these statements.
    pub fn of(statements: impl IntoIterator<Item = &'t Statement>) -> Effects<'t> {
        let mut effects = Effects::default();
        statements.into_iter().for_each(|statement| effects.add(statement, Taken::default()));
        effects
    }

    fn add(&mut self, statement: &'t Statement, taken: Taken) {
        match &statement.kind {
            StatementKind::Text => {}
            StatementKind::Break => self.jumps |= !taken.breaks,
            StatementKind::Continue => self.jumps |= !taken.continues,
            StatementKind::Action(pipe) => self.add_pipe(pipe),
            StatementKind::If(branch) | StatementKind::With(branch) => self.add_branch(branch, taken, taken),
            StatementKind::Range(branch) => {
                let inside = Taken { breaks: true, continues: true };
                self.add_branch(branch, inside, Taken { breaks: true, ..taken });
            }
            // The other template may do anything to the maps it is given.
            StatementKind::Template { .. } => self.mutates = true,
        }
    }

    fn add_branch(&mut self, branch: &'t Branch, body: Taken, otherwise: Taken) {
        self.add_pipe(&branch.pipe);
        branch.body.iter().for_each(|statement| self.add(statement, body));
        branch.otherwise.iter().flatten().for_each(|statement| self.add(statement, otherwise));
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
