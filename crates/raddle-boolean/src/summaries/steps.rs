//! What each step does to a set of states, built once before the search.

use crate::answer::Reason;
use crate::encoding::{Encoding, Moment};
use raddle_bdd::{Bdd, Renaming, Variables};
use raddle_bp::flow::{Flow, NodeId, Operation, ProcedureId, Variable};

pub(super) struct Steps {
    effects: Vec<Vec<Effect>>,
    /// The caller's state beside its globals: its entry and its locals.
    pub caller: Variables,
    /// All locals now.
    pub locals: Variables,
    /// All globals now and all arguments.
    pub handed_over: Variables,
    /// All results.
    pub results: Variables,
    /// A state at a call, as the entry of the callee: globals now, and arguments.
    pub to_entry: Renaming,
    /// A summary, as its caller sees it: entry globals are now, entry parameters are arguments, globals now are next.
    pub to_caller: Renaming,
    /// Globals next are now.
    pub globals_next: Renaming,
}

pub(super) enum Effect {
    Nothing,
    /// A thread would start.
    Start,
    /// Nothing follows.
    End,
    Guard(Bdd),
    Assert {
        holds: Bdd,
        fails: Bdd,
    },
    Assign {
        relation: Bdd,
        targets: Variables,
        renaming: Renaming,
    },
    Call(CallEffect),
    /// Results, by the state now.
    Return {
        values: Bdd,
    },
}

pub(super) struct CallEffect {
    pub callee: ProcedureId,
    /// Arguments, by the state now.
    pub binding: Bdd,
    /// What is overwritten: globals next and locals now that are targets.
    pub overwritten: Variables,
    /// Targets are results.
    pub assigned: Bdd,
}

impl Steps {
    pub(super) fn new(flow: &Flow, encoding: &Encoding) -> Result<Steps, Reason> {
        let globals = || encoding.all_globals();
        let locals = || encoding.all_locals();
        let at = |moment: Moment| move |variable: Variable| (variable, moment);
        let mut effects = Vec::with_capacity(flow.procedures.len());
        for procedure in &flow.procedures {
            let operations = procedure.nodes.iter().map(|node| &node.operation);
            let built: Result<Vec<Effect>, Reason> =
                operations.map(|operation| effect(operation, encoding)).collect();
            effects.push(built?);
        }
        let both = |from: Moment, to: Moment| move |variable: Variable| (variable, from, to);
        let mut to_entry: Vec<_> = globals().map(both(Moment::Now, Moment::Entry)).collect();
        to_entry.extend(locals().map(both(Moment::Argument, Moment::Entry)));
        let mut to_caller: Vec<_> = globals().map(both(Moment::Entry, Moment::Now)).collect();
        to_caller.extend(globals().map(both(Moment::Now, Moment::Next)));
        to_caller.extend(locals().map(both(Moment::Entry, Moment::Argument)));
        let entries = globals().chain(locals()).map(at(Moment::Entry));
        Ok(Steps {
            effects,
            caller: encoding.set(entries.chain(locals().map(at(Moment::Now))))?,
            locals: encoding.set(locals().map(at(Moment::Now)))?,
            handed_over: encoding
                .set(globals().map(at(Moment::Now)).chain(locals().map(at(Moment::Argument))))?,
            results: encoding.set(locals().map(at(Moment::Result)))?,
            to_entry: encoding.renaming(to_entry),
            to_caller: encoding.renaming(to_caller),
            globals_next: encoding.renaming(globals().map(both(Moment::Next, Moment::Now))),
        })
    }

    pub(super) fn effect(&self, procedure: ProcedureId, node: NodeId) -> &Effect {
        &self.effects[procedure.0 as usize][node.0 as usize]
    }
}

fn effect(operation: &Operation, encoding: &Encoding) -> Result<Effect, Reason> {
    let condition = |formula| encoding.formula(formula, &|_| Moment::Now);
    Ok(match operation {
        Operation::Skip | Operation::AtomicBegin | Operation::AtomicEnd => Effect::Nothing,
        Operation::StartThread(_) => Effect::Start,
        Operation::EndThread => Effect::End,
        Operation::Assume(formula) => Effect::Guard(encoding.choose(&condition(formula)?)?),
        Operation::Assert(formula) => {
            let formula = condition(formula)?;
            Effect::Assert { holds: encoding.choose(&formula)?, fails: encoding.choose(&formula.not()?)? }
        }
        Operation::Assign { targets, .. } => Effect::Assign {
            relation: encoding.assignment(operation)?,
            targets: encoding.set(targets.iter().map(|target| (*target, Moment::Now)))?,
            renaming: encoding.renaming(targets.iter().map(|target| (*target, Moment::Next, Moment::Now))),
        },
        Operation::Call { procedure, arguments, targets } => {
            let mut assigned = encoding.diagrams.constant(true);
            let mut overwritten = Vec::new();
            for (index, target) in targets.iter().enumerate() {
                let Some(target) = target else { continue };
                let moment = after_call(*target);
                let result = encoding.value(Variable::Local(index as u32), Moment::Result);
                assigned = assigned.and(&encoding.value(*target, moment).equal(result)?)?;
                overwritten.push((*target, moment));
            }
            Effect::Call(CallEffect {
                callee: *procedure,
                binding: encoding.binding(arguments, Moment::Argument)?,
                overwritten: encoding.set(overwritten)?,
                assigned,
            })
        }
        Operation::Return(values) => Effect::Return { values: encoding.binding(values, Moment::Result)? },
    })
}

/// Where the value after a call is while a summary is applied: the callee changes globals but not its caller's locals.
pub(super) fn after_call(variable: Variable) -> Moment {
    match variable {
        Variable::Global(_) => Moment::Next,
        Variable::Local(_) => Moment::Now,
    }
}
