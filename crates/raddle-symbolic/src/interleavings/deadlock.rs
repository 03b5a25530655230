//! Deadlocks of one state, by rule 5, from the sections that threads would execute if it were the last state. The conditions
//! are those of `Encoding::deadlock` in `order.rs`, judged in every state in which a thread waits, so also while `main`
//! joins or others go on: the paper counts waits for locks only, and misses a cycle then.

use raddle_solver::Term;

use super::state::State;
use super::tree::{Finding, Tree, What, replacements};

/// A thread that would block.
struct Blocked {
    thread: usize,
    guard: Term,
    /// By whom, if it waits for an owner.
    owners: Option<Vec<(usize, Term)>>,
}

impl Tree<'_> {
    /// When the state is a deadlock, given its path condition; and what else is found there.
    pub fn deadlock(&mut self, state: &State) -> (Term, Vec<Finding>) {
        let (blocked, findings) = self.probe(state);
        if blocked.is_empty() {
            return (Term::FALSE, findings);
        }
        let count = state.positions.len();
        let terms = &mut *self.terms;
        let mut stuck = vec![Term::FALSE; count];
        for Blocked { thread, guard, .. } in &blocked {
            stuck[*thread] = terms.or(stuck[*thread], *guard);
        }
        let mut global = terms.any(stuck.iter().copied());
        for thread in (0..count).filter(|thread| state.exists(*thread)) {
            let done = terms.or(state.finished[thread], stuck[thread]);
            global = terms.and(global, done);
        }
        // The greatest set of threads, each of which waits for one of the set or for one that has ended: each round
        // removes a thread, or nothing changes.
        let mut members = vec![Term::TRUE; count];
        for _ in 0..=count {
            let mut next = vec![Term::FALSE; count];
            for Blocked { thread, guard, owners } in &blocked {
                let mut held = Term::FALSE;
                for (owner, when) in owners.iter().flatten() {
                    let remains = terms.or(members[*owner], state.finished[*owner]);
                    let by_it = terms.and(*when, remains);
                    held = terms.or(held, by_it);
                }
                let here = terms.and(*guard, held);
                next[*thread] = terms.or(next[*thread], here);
            }
            if next == members {
                break;
            }
            members = next;
        }
        let local = terms.any(members);
        (terms.or(global, local), findings)
    }

    /// Evaluates the sections that threads would execute on the last state, if this is the last: blocked sections with
    /// their owners, by thread, and other findings.
    fn probe(&mut self, state: &State) -> (Vec<Blocked>, Vec<Finding>) {
        let (mut out, mut findings) = (Vec::new(), Vec::new());
        let steps = std::mem::take(&mut self.steps.steps);
        for thread in 0..state.positions.len() {
            if !state.exists(thread) || state.pending[thread] != Term::TRUE {
                continue;
            }
            let node = self.steps.unrolling.threads[thread].nodes[state.positions[thread] as usize];
            let step = &steps[node.0 as usize];
            let (Some(probe), Some(runs)) = (&step.probe, step.runs) else { continue };
            let inputs: Vec<Term> = probe.needs.iter().map(|slot| state.value(*slot)).collect();
            let mut replaced = replacements(&self.steps, &probe.needs, &inputs);
            replaced.insert(self.steps.variables[runs.0 as usize], Term::FALSE);
            for read in &probe.reads {
                self.load(&state.memory, read, &mut replaced);
            }
            let mut evaluate = |term: Term| {
                let term = self.terms.replace(term, &mut replaced);
                state.facts.apply(self.terms, term)
            };
            for index in &probe.blocked {
                let blocked = &self.steps.unrolling.blocked[*index];
                let guard = evaluate(blocked.guard);
                if guard == Term::FALSE {
                    continue;
                }
                let owners = blocked.owners.iter().map(|(owner, when)| (owner.0 as usize, evaluate(*when)));
                let owners = owners.filter(|(_, when)| *when != Term::FALSE).collect();
                out.push(Blocked { thread, guard, owners: blocked.by_owner.then_some(owners) });
            }
            let limits =
                probe.limits.iter().map(|i| (What::Limit(*i), self.steps.unrolling.unsupported[*i].guard));
            let cuts = probe.cuts.iter().map(|i| (What::Cut(*i), self.steps.unrolling.cuts[*i].guard));
            for (what, guard) in limits.chain(cuts) {
                let guard = evaluate(guard);
                if guard != Term::FALSE {
                    findings.push(Finding { what, guard });
                }
            }
        }
        self.steps.steps = steps;
        (out, findings)
    }
}
