//! The body of one procedure to its graph.
//!
//! Nodes are made in the order of the text. Those from which control falls to whatever comes next are kept aside as
//! `loose` until the next node is made; gotos are tied up when all labels are known.

use super::names::{Scope, counted};
use super::{Formula, Node, NodeId, Operation, Procedure, ThreadEntry};
use crate::program::{
    Branch, Expression, Name, Place, ProgramError, Span, Statement, StatementKind, ThreadStart,
};
use rustc_hash::FxHashMap;

pub(super) struct Builder<'a, 'b> {
    scope: Scope<'a>,
    procedure: &'b mut Procedure,
    /// Control falls from these to the node that is made next.
    loose: Vec<NodeId>,
    /// Where a jump to a label leads.
    labels: FxHashMap<&'a str, NodeId>,
    /// Labels that occur twice; SATABS writes such, and no jump may name one.
    ambiguous: FxHashMap<&'a str, &'a Name>,
    /// Jumps, and the labels that they name.
    jumps: Vec<(NodeId, &'a Name)>,
    enforce: Option<&'a Expression>,
    /// The labels of the statement that is being lowered, for the next node.
    pending_labels: Vec<String>,
}

impl<'a, 'b> Builder<'a, 'b> {
    pub(super) fn new(scope: Scope<'a>, procedure: &'b mut Procedure) -> Builder<'a, 'b> {
        Builder {
            scope,
            procedure,
            loose: Vec::new(),
            labels: FxHashMap::default(),
            ambiguous: FxHashMap::default(),
            jumps: Vec::new(),
            enforce: None,
            pending_labels: Vec::new(),
        }
    }

    pub(super) fn body(mut self, body: &'a [Statement], end: Place) -> Result<(), ProgramError> {
        self.block(body)?;
        if !self.loose.is_empty() || self.procedure.nodes.is_empty() {
            self.assume_enforced(end)?;
            let values = (0..self.procedure.results).map(|_| self.scope.choice()).collect();
            self.end(Operation::Return(values), end);
        }
        for (from, label) in std::mem::take(&mut self.jumps) {
            if let Some(second) = self.ambiguous.get(label.text.as_str()) {
                return Err(ProgramError::new(
                    second.span.start,
                    format!("there are two labels `{}` in `{}`", label.text, self.procedure.name),
                ));
            }
            let Some(target) = self.labels.get(label.text.as_str()) else {
                return Err(ProgramError::new(
                    label.span.start,
                    format!("there is no label `{}` in `{}`", label.text, self.procedure.name),
                ));
            };
            let node = &mut self.procedure.nodes[from.0 as usize];
            match &mut node.operation {
                Operation::StartThread(entry) => *entry = ThreadEntry::Copy(*target),
                _ => node.next.push(*target),
            }
        }
        Ok(())
    }

    fn block(&mut self, statements: &'a [Statement]) -> Result<(), ProgramError> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    /// A node from which control falls to the next one.
    fn add(&mut self, operation: Operation, place: Place) -> NodeId {
        let id = self.end(operation, place);
        self.loose.push(id);
        id
    }

    /// A node from which control does not fall on.
    fn end(&mut self, operation: Operation, place: Place) -> NodeId {
        let id = NodeId(self.procedure.nodes.len() as u32);
        self.tie(id);
        let choices = std::mem::take(&mut self.scope.choices);
        let labels = std::mem::take(&mut self.pending_labels);
        self.procedure.nodes.push(Node { operation, next: Vec::new(), choices, place, labels });
        id
    }

    /// Lets control fall to a node from wherever it is loose.
    fn tie(&mut self, to: NodeId) {
        for from in std::mem::take(&mut self.loose) {
            self.procedure.nodes[from.0 as usize].next.push(to);
        }
    }

    fn next_id(&self) -> NodeId {
        NodeId(self.procedure.nodes.len() as u32)
    }

    fn assume_enforced(&mut self, place: Place) -> Result<(), ProgramError> {
        if let Some(condition) = self.enforce {
            let labels = std::mem::take(&mut self.pending_labels);
            let formula = self.scope.formula(condition, false)?;
            self.add(Operation::Assume(formula), place);
            self.pending_labels = labels;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), ProgramError> {
        let place = statement.action.start;
        match &statement.kind {
            StatementKind::Declaration(names) => {
                for name in names {
                    self.scope.declare(&name.text);
                }
                // Nothing happens here, unless one may jump to it.
                if statement.labels.is_empty() {
                    return Ok(());
                }
            }
            StatementKind::Enforce(condition) => {
                if self.enforce.is_some() || !self.procedure.nodes.is_empty() || !statement.labels.is_empty()
                {
                    return Err(ProgramError::new(
                        place,
                        "`enforce` must be the first statement of a procedure, once, unlabelled",
                    ));
                }
                self.enforce = Some(condition);
                return Ok(());
            }
            _ => {}
        }
        let asynchronous = self.label(statement)?;
        self.assume_enforced(place)?;
        match &statement.kind {
            StatementKind::If { branches, otherwise, .. } => {
                self.selection(branches, otherwise.as_ref(), place)
            }
            StatementKind::While { condition, body, .. } => self.iteration(condition, body, place),
            StatementKind::Call { targets, procedure, arguments } if asynchronous => {
                if let Some(target) = targets.first() {
                    return Err(ProgramError::new(
                        target.span.start,
                        "a call that starts a thread has no results to assign",
                    ));
                }
                self.start_procedure(procedure, arguments, place)
            }
            _ if asynchronous => {
                Err(ProgramError::new(place, "`ASYNC_` labels are allowed only before a call"))
            }
            simple => self.simple(simple, place),
        }
    }

    /// Notes the labels of a statement; says whether one makes it a thread creation.
    fn label(&mut self, statement: &'a Statement) -> Result<bool, ProgramError> {
        let mut asynchronous = false;
        let here = self.next_id();
        for label in &statement.labels {
            if is_asynchronous(&label.text) {
                asynchronous = true;
                continue;
            }
            if self.labels.insert(&label.text, here).is_some() {
                self.ambiguous.entry(&label.text).or_insert(label);
            }
            self.pending_labels.push(label.text.clone());
        }
        Ok(asynchronous)
    }

    fn selection(
        &mut self,
        branches: &'a [Branch],
        otherwise: Option<&'a (Span, Vec<Statement>)>,
        place: Place,
    ) -> Result<(), ProgramError> {
        let mut ends = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            let place = if index == 0 { place } else { branch.heading.start };
            let choice = self.add(Operation::Skip, place);
            self.assume(&branch.condition, true, place)?;
            self.block(&branch.body)?;
            ends.append(&mut self.loose);
            self.loose.push(choice);
            self.assume(&branch.condition, false, place)?;
        }
        if let Some((_, body)) = otherwise {
            self.block(body)?;
        }
        self.loose.append(&mut ends);
        Ok(())
    }

    fn iteration(
        &mut self,
        condition: &'a Expression,
        body: &'a [Statement],
        place: Place,
    ) -> Result<(), ProgramError> {
        let head = self.add(Operation::Skip, place);
        // What is enforced is enforced before every round: its node is the one before.
        let again = if self.enforce.is_some() { NodeId(head.0 - 1) } else { head };
        self.assume(condition, true, place)?;
        self.block(body)?;
        self.tie(again);
        self.loose.push(head);
        self.assume(condition, false, place)
    }

    fn assume(&mut self, condition: &'a Expression, value: bool, place: Place) -> Result<(), ProgramError> {
        let formula = self.scope.formula(condition, false)?;
        self.add(Operation::Assume(if value { formula } else { Formula::not(formula) }), place);
        Ok(())
    }

    fn simple(&mut self, kind: &'a StatementKind, place: Place) -> Result<(), ProgramError> {
        let operation = match kind {
            StatementKind::Goto(labels) => {
                let id = self.end(Operation::Skip, place);
                self.jumps.extend(labels.iter().map(|label| (id, label)));
                return Ok(());
            }
            StatementKind::Return(values) => {
                if values.len() != self.procedure.results {
                    return Err(ProgramError::new(
                        place,
                        format!(
                            "`{}` returns {}, not {}",
                            self.procedure.name,
                            counted(self.procedure.results, "value"),
                            values.len()
                        ),
                    ));
                }
                let values = self.scope.formulas(values)?;
                self.end(Operation::Return(values), place);
                return Ok(());
            }
            StatementKind::EndThread => {
                self.end(Operation::EndThread, place);
                return Ok(());
            }
            StatementKind::StartThread(ThreadStart::Label(label)) => {
                let id = self.add(Operation::StartThread(ThreadEntry::Copy(Procedure::ENTRY)), place);
                self.jumps.push((id, label));
                return Ok(());
            }
            StatementKind::StartThread(ThreadStart::Procedure { procedure, arguments }) => {
                return self.start_procedure(procedure, arguments, place);
            }
            StatementKind::Assignment { targets, values, constrain } => {
                self.assignment(targets, values, constrain.as_ref())?
            }
            StatementKind::Call { targets, procedure, arguments } => {
                let heading = self.scope.procedure(procedure, arguments.len())?;
                if !targets.is_empty() && targets.len() != heading.results {
                    return Err(ProgramError::new(
                        procedure.span.start,
                        format!(
                            "`{}` returns {}, and there are {} to assign to",
                            procedure.text,
                            counted(heading.results, "value"),
                            counted(targets.len(), "variable")
                        ),
                    ));
                }
                Operation::Call {
                    procedure: heading.id,
                    arguments: self.scope.formulas(arguments)?,
                    targets: self.scope.targets(targets)?,
                }
            }
            StatementKind::Assert(condition) => Operation::Assert(self.scope.formula(condition, false)?),
            StatementKind::Assume(condition) => Operation::Assume(self.scope.formula(condition, false)?),
            StatementKind::Dead(names) if names.is_empty() => Operation::Skip,
            StatementKind::Dead(names) => {
                let targets: Vec<_> = self.scope.targets(names)?.into_iter().flatten().collect();
                let values = targets.iter().map(|_| self.scope.choice()).collect();
                Operation::Assign { targets, values, constrain: None }
            }
            StatementKind::Print(values) => {
                self.scope.formulas(values)?;
                self.scope.choices = 0;
                Operation::Skip
            }
            StatementKind::AtomicBegin => Operation::AtomicBegin,
            StatementKind::AtomicEnd => Operation::AtomicEnd,
            StatementKind::Skip | StatementKind::Declaration(_) => Operation::Skip,
            StatementKind::If { .. } | StatementKind::While { .. } | StatementKind::Enforce(_) => {
                unreachable!("lowered by `statement`")
            }
        };
        self.add(operation, place);
        Ok(())
    }

    fn assignment(
        &mut self,
        targets: &'a [Name],
        values: &'a [Expression],
        constrain: Option<&'a Expression>,
    ) -> Result<Operation, ProgramError> {
        if targets.len() != values.len() {
            let place = targets.first().map_or(Place { line: 1, column: 1 }, |name| name.span.start);
            return Err(ProgramError::new(
                place,
                format!("{} get {}", counted(targets.len(), "variable"), counted(values.len(), "value")),
            ));
        }
        let targets = self.scope.targets(targets)?;
        let values = self.scope.formulas(values)?;
        let constrain = match constrain {
            Some(condition) => Some(self.scope.formula(condition, true)?),
            None => None,
        };
        let kept = targets.into_iter().zip(values).filter_map(|(target, value)| Some((target?, value)));
        let (targets, values) = kept.unzip();
        Ok(Operation::Assign { targets, values, constrain })
    }

    fn start_procedure(
        &mut self,
        procedure: &'a Name,
        arguments: &'a [Expression],
        place: Place,
    ) -> Result<(), ProgramError> {
        let heading = self.scope.procedure(procedure, arguments.len())?;
        let arguments = self.scope.formulas(arguments)?;
        let entry = ThreadEntry::Call { procedure: heading.id, arguments };
        self.add(Operation::StartThread(entry), place);
        Ok(())
    }
}

/// `ASYNC_1`, `__CPROVER_ASYNC_27`, but not `ASYNC_`.
fn is_asynchronous(label: &str) -> bool {
    let number = label.strip_prefix("__CPROVER_").unwrap_or(label).strip_prefix("ASYNC_");
    number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
