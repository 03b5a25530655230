//! A run to an error: up from where it happens to the start of the program, and through every summary on the way.
//!
//! Edges hold formulas only over their own procedure's entry, so each piece is found by a question of its own: from the
//! values that are wanted at its end to those that it begins with. Whatever is opened was made earlier than what opens it.

use super::{Error, Search};
use crate::answer::Reason;
use crate::symbolic::edges::EdgeId;
use crate::symbolic::retrace::{Item, Run, Valuation, Way, formulas_of_edges, way_to};
use crate::symbolic::summary::Source;
use raddle_bp::flow::ProcedureId;
use raddle_bp::interpreter::{Counterexample, Step};
use raddle_solver::Formula;

impl Search<'_> {
    pub(super) fn counterexample(&mut self, error: &Error) -> Result<Counterexample, Reason> {
        let (mut way, values) = self.way(error.procedure, error.edge, &[error.guard], &error.choices)?;
        if error.asserts {
            way.items.push(Item::Step(Step { thread: 0, successor: 0, choices: values }));
        }
        let node = self.tables[error.procedure.0 as usize].edges[error.edge].node;
        way.items.push(Item::Error { procedure: error.procedure, node, asserts: error.asserts });
        let mut pieces = vec![];
        while let Some(call) = self.enterings[way.begins].clone() {
            self.simulation.look()?;
            let edge = &self.tables[call.caller.0 as usize].edges[call.edge];
            let mut wanted = vec![edge.guard];
            wanted
                .extend(call.entry.iter().zip(&way.first).map(|(formula, value)| formula.negate_if(!value)));
            let (above, mut choices) = self.way(call.caller, call.edge, &wanted, &call.choices)?;
            choices.extend(&way.first[call.entry.len()..]);
            let below = std::mem::replace(&mut way, above);
            pieces.push(below.items);
            way.items.push(Item::Step(Step { thread: 0, successor: 0, choices }));
        }
        let mut run = Run::new();
        run.initial = Some(self.simulation.initial(&way.first));
        let mut items = way.items;
        items.extend(pieces.into_iter().rev().flatten());
        self.write(&mut run, items)?;
        Ok(run.finish())
    }

    /// Writes down a way with all calls on it opened.
    fn write(&mut self, run: &mut Run, items: Vec<Item>) -> Result<(), Reason> {
        let mut waiting = vec![items.into_iter()];
        while let Some(items) = waiting.last_mut() {
            let Some(item) = items.next() else {
                waiting.pop();
                continue;
            };
            let Item::Call { source: Source::Other(number), choices, entry, exit, .. } = item else {
                run.note(&self.simulation, item)?;
                continue;
            };
            self.simulation.look()?;
            let returned = &self.returned[number];
            let (procedure, edge, last) = (returned.procedure, returned.edge, returned.choices.clone());
            let variables = self.simulation.entry(procedure);
            let wanted = variables.iter().zip(&entry).chain(returned.exit.iter().zip(&exit));
            let mut wanted: Vec<Formula> = wanted.map(|(formula, value)| formula.negate_if(!value)).collect();
            wanted.push(returned.guard);
            let (mut way, last) = self.way(procedure, edge, &wanted, &last)?;
            way.items.push(Item::Step(Step { thread: 0, successor: 0, choices: last }));
            waiting.push(run.enter(way, &entry, choices).into_iter());
        }
        Ok(())
    }

    /// A way to an edge on which all that is wanted holds, and the values of some more formulas on it.
    fn way(
        &mut self,
        procedure: ProcedureId,
        edge: EdgeId,
        wanted: &[Formula],
        more: &[Formula],
    ) -> Result<(Way, Vec<bool>), Reason> {
        let table = &mut self.tables[procedure.0 as usize];
        self.simulation.asked.satisfiable += 1;
        let answer = table.solver.solve(&self.simulation.graph, wanted);
        if !self.simulation.answered(answer)? {
            unreachable!("only what was found to be reached is asked for");
        }
        let mut formulas = formulas_of_edges(&table.edges, edge);
        formulas.extend(more);
        for application in &table.applications {
            formulas.extend(application.call.choices.iter().chain(&application.call.entry));
            formulas.extend(&application.exit);
        }
        let graph = &self.simulation.graph;
        let model = table.solver.model(graph, &formulas);
        let valuation = Valuation::new(graph, formulas, |variable| model[&variable]);
        let way = way_to(&table.edges, edge, &valuation, |number| {
            let application = &table.applications[number];
            Item::Call {
                source: application.summary.source,
                callee: application.summary.procedure,
                choices: valuation.all(&application.call.choices),
                entry: valuation.all(&application.call.entry),
                exit: valuation.all(&application.exit),
            }
        });
        Ok((way, valuation.all(more)))
    }
}
