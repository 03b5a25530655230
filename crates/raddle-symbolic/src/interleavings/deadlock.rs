//! Deadlocks of one state, by rule 5, from the sections that threads would execute if it were the last state. The conditions
//! are those of `Encoding::deadlock` in `order.rs`, judged in every state in which a thread waits, so also while `main`
//! joins or others go on: the paper counts waits for locks only, and misses a cycle then.

use raddle_solver::Term;

use super::state::State;
use super::tree::{Blocked, Finding, Tree};

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
}
