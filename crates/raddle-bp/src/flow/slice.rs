//! A program without the variables that cannot matter: the cone of influence of what decides where control goes.
//!
//! A variable matters if an `assume`, an `assert` or a constraint reads it, or if the value of a variable that matters is
//! made of it, through assignments, arguments and results. All others are taken out, with the assignments to them: these
//! never block and nothing that can fail or block reads what they write. So the sliced program takes the same steps,
//! place by place, and every place of control is kept, with its number; the same assertions fail and the same labels
//! are reached. What is always true is no longer asserted or assumed.
//!
//! Parameters and results keep their number and their order as far as they matter; a parameter that does not goes from
//! the procedure and from every call of it, a result stays as a constant.

use super::{Flow, Formula, Node, Operation, Procedure, ProcedureId, ThreadEntry, Variable};

/// Formulas with more variables and choices are not tried for being always true.
const TRIED: usize = 12;

/// Which variables matter: shared ones, and local ones and results by procedure.
struct Cone {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
    results: Vec<Vec<bool>>,
    grew: bool,
}

/// The program without what cannot matter.
pub fn slice(flow: &Flow) -> Flow {
    let mut cone = Cone {
        globals: vec![false; flow.globals.len()],
        locals: flow.procedures.iter().map(|p| vec![false; p.locals.len()]).collect(),
        results: flow.procedures.iter().map(|p| vec![false; p.results]).collect(),
        grew: true,
    };
    while std::mem::replace(&mut cone.grew, false) {
        for (id, procedure) in flow.enumerate() {
            procedure.nodes.iter().for_each(|node| cone.grow(id.0 as usize, &node.operation));
        }
    }
    let names = |names: &[String], kept: &[bool]| -> Vec<String> {
        names.iter().zip(kept).filter(|(_, kept)| **kept).map(|(name, _)| name.clone()).collect()
    };
    let procedures = flow.enumerate().map(|(id, procedure)| {
        let kept = &cone.locals[id.0 as usize];
        Procedure {
            name: procedure.name.clone(),
            parameters: kept[..procedure.parameters].iter().filter(|kept| **kept).count(),
            locals: names(&procedure.locals, kept),
            results: procedure.results,
            nodes: procedure.nodes.iter().map(|node| cone.node(id.0 as usize, node)).collect(),
        }
    });
    Flow { globals: names(&flow.globals, &cone.globals), procedures: procedures.collect(), main: flow.main }
}

impl Cone {
    fn has(&self, procedure: usize, variable: Variable) -> bool {
        match variable {
            Variable::Global(index) => self.globals[index as usize],
            Variable::Local(index) => self.locals[procedure][index as usize],
        }
    }

    /// Everything in the formula matters.
    fn add(&mut self, procedure: usize, formula: &Formula) {
        formula.for_each_leaf(&mut |leaf| {
            if let Formula::Now(variable) | Formula::Next(variable) = leaf {
                let slot = match *variable {
                    Variable::Global(index) => &mut self.globals[index as usize],
                    Variable::Local(index) => &mut self.locals[procedure][index as usize],
                };
                self.grew |= !std::mem::replace(slot, true);
            }
        });
    }

    fn add_arguments(&mut self, procedure: usize, callee: ProcedureId, arguments: &[Formula]) {
        for (position, argument) in arguments.iter().enumerate() {
            if self.locals[callee.0 as usize][position] {
                self.add(procedure, argument);
            }
        }
    }

    fn grow(&mut self, procedure: usize, operation: &Operation) {
        match operation {
            Operation::Assume(formula) | Operation::Assert(formula) if !is_always_true(formula) => {
                self.add(procedure, formula);
            }
            Operation::Assign { targets, values, constrain } => {
                if let Some(constrain) = constrain {
                    self.add(procedure, constrain);
                }
                for (target, value) in targets.iter().zip(values) {
                    if self.has(procedure, *target) {
                        self.add(procedure, value);
                    }
                }
            }
            Operation::Call { procedure: callee, arguments, targets } => {
                self.add_arguments(procedure, *callee, arguments);
                for (position, target) in targets.iter().enumerate() {
                    if target.is_some_and(|target| self.has(procedure, target)) {
                        let slot = &mut self.results[callee.0 as usize][position];
                        self.grew |= !std::mem::replace(slot, true);
                    }
                }
            }
            Operation::Return(values) => {
                for (position, value) in values.iter().enumerate() {
                    if self.results[procedure].get(position) == Some(&true) {
                        self.add(procedure, value);
                    }
                }
            }
            Operation::StartThread(ThreadEntry::Call { procedure: callee, arguments }) => {
                self.add_arguments(procedure, *callee, arguments);
            }
            _ => {}
        }
    }

    fn variable(&self, procedure: usize, variable: Variable) -> Variable {
        let before = |kept: &[bool], index: u32| kept[..index as usize].iter().filter(|k| **k).count() as u32;
        match variable {
            Variable::Global(index) => Variable::Global(before(&self.globals, index)),
            Variable::Local(index) => Variable::Local(before(&self.locals[procedure], index)),
        }
    }

    fn node(&self, procedure: usize, node: &Node) -> Node {
        let mut choices = 0;
        let mut formula = |formula: &Formula| self.formula(procedure, formula, &mut choices);
        let arguments =
            |callee: ProcedureId, all: &[Formula], formula: &mut dyn FnMut(&Formula) -> Formula| {
                let kept = self.locals[callee.0 as usize].iter();
                all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(a, _)| formula(a)).collect::<Vec<_>>()
            };
        let target = |target: Variable| self.variable(procedure, target);
        let operation = match &node.operation {
            Operation::Assume(f) | Operation::Assert(f) if is_always_true(f) => Operation::Skip,
            Operation::Assume(f) => Operation::Assume(formula(f)),
            Operation::Assert(f) => Operation::Assert(formula(f)),
            Operation::Assign { targets, values, constrain } => {
                let kept: Vec<(Variable, &Formula)> = targets
                    .iter()
                    .zip(values)
                    .filter(|(target, _)| self.has(procedure, **target))
                    .map(|(target, value)| (*target, value))
                    .collect();
                if kept.is_empty() && constrain.is_none() {
                    Operation::Skip
                } else {
                    let values = kept.iter().map(|(_, value)| formula(value)).collect();
                    let targets = kept.iter().map(|(variable, _)| target(*variable)).collect();
                    let constrain = constrain.as_ref().map(&mut formula);
                    Operation::Assign { targets, values, constrain }
                }
            }
            Operation::Call { procedure: callee, arguments: all, targets } => Operation::Call {
                procedure: *callee,
                arguments: arguments(*callee, all, &mut formula),
                targets: targets.iter().map(|t| t.filter(|t| self.has(procedure, *t)).map(target)).collect(),
            },
            Operation::Return(values) => Operation::Return(
                values
                    .iter()
                    .enumerate()
                    .map(|(position, value)| match self.results[procedure].get(position) {
                        Some(true) => formula(value),
                        _ => Formula::Constant(false),
                    })
                    .collect(),
            ),
            Operation::StartThread(ThreadEntry::Call { procedure: callee, arguments: all }) => {
                let arguments = arguments(*callee, all, &mut formula);
                Operation::StartThread(ThreadEntry::Call { procedure: *callee, arguments })
            }
            other => other.clone(),
        };
        Node { operation, next: node.next.clone(), choices, place: node.place, labels: node.labels.clone() }
    }

    /// The formula over the variables that are left, its choices numbered anew.
    fn formula(&self, procedure: usize, formula: &Formula, choices: &mut u32) -> Formula {
        let mut inner = |f: &Formula| Box::new(self.formula(procedure, f, choices));
        match formula {
            Formula::Constant(value) => Formula::Constant(*value),
            Formula::Now(variable) => Formula::Now(self.variable(procedure, *variable)),
            Formula::Next(variable) => Formula::Next(self.variable(procedure, *variable)),
            Formula::Choice(_) => {
                *choices += 1;
                Formula::Choice(*choices - 1)
            }
            Formula::Not(a) => Formula::Not(inner(a)),
            Formula::And(a, b) => Formula::And(inner(a), inner(b)),
            Formula::Or(a, b) => Formula::Or(inner(a), inner(b)),
            Formula::Equal(a, b) => Formula::Equal(inner(a), inner(b)),
            Formula::If(parts) => {
                let [a, b, c] = parts.as_ref();
                Formula::If(Box::new([*inner(a), *inner(b), *inner(c)]))
            }
        }
    }
}

/// Whether every value of its variables and choices makes it true; false also where that is not tried.
fn is_always_true(formula: &Formula) -> bool {
    let mut leaves: Vec<Formula> = Vec::new();
    formula.for_each_leaf(&mut |leaf| {
        if leaves.len() <= TRIED && !leaves.contains(leaf) {
            leaves.push(leaf.clone());
        }
    });
    if leaves.len() > TRIED {
        return false;
    }
    (0..1u32 << leaves.len()).all(|values| {
        formula.evaluate(&|leaf| {
            leaves.iter().position(|known| known == leaf).is_some_and(|at| values >> at & 1 == 1)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::lower;
    use crate::program::parse;

    fn sliced(text: &str) -> Flow {
        slice(&lower(&parse(text).unwrap()).unwrap())
    }

    #[test]
    fn what_decides_nothing_goes() {
        let flow = sliced(
            "decl a, b, c; void main() begin decl l; a := b; c := *; l := c; b := !a; assert(a | !a); \
             if (a) then skip; fi c := f(c, l); end bool f(x, y) begin return x & y; end",
        );
        assert_eq!(flow.globals, ["a", "b"]);
        assert!(flow.procedures.iter().all(|p| p.locals.is_empty()));
        let asserts = flow.procedures[0].nodes.iter();
        assert_eq!(asserts.filter(|n| matches!(n.operation, Operation::Assert(_))).count(), 0);
    }

    #[test]
    fn arguments_and_results_carry_influence() {
        let flow = sliced(
            "decl a, b, c; void main() begin c := f(b, a); assert(c); end bool f(x, y) begin decl z; z := x; return z; end",
        );
        assert_eq!(flow.globals, ["b", "c"]);
        assert_eq!((flow.procedures[1].parameters, &flow.procedures[1].locals[..].len()), (1, &2));
        let Operation::Call { arguments, .. } = &flow.procedures[0].nodes[0].operation else { panic!() };
        assert_eq!(arguments.len(), 1);
    }
}
