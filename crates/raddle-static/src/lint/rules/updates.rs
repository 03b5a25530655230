//! stale-value and atomic-read-then-write: a write of what was computed from an earlier read of the same variable, with a chance
//! for other threads in between (figure 1a of the literature on atomicity: read under one holding of a lock, written back under another).

use raddle_trace::LintRule;

use super::Rules;
use crate::lint::events::{Access, WriteBack};

impl Rules<'_, '_> {
    pub fn stale_values(&mut self) {
        for write in self.interpreter.events.writes_back.clone() {
            let held_again = write.place.held.iter().any(|held| write.read.locks.contains(&held.lock));
            if write.atomic || write.by_test || !write.read.is_expired() || write.validated || !held_again {
                continue;
            }
            if !self.is_reached(&write.place) || !self.has_other_writer(&write) {
                continue;
            }
            let name = self.text(write.address);
            let lock = write.place.held.iter().find(|held| write.read.locks.contains(&held.lock));
            let lock = lock.map_or_else(String::new, |held| self.text(held.lock));
            let spots = vec![
                self.spot(&write.place, format!("writes `{name}` under another holding of `{lock}`")),
                self.bare_spot(write.read.at, format!("the value comes from this read of `{name}`")),
            ];
            let message = format!(
                "`{name}` is computed from a value that was read before `{lock}` was released: other updates are lost"
            );
            self.explained.insert(write.place.at);
            self.report(LintRule::StaleValue, message, spots);
        }
    }

    pub fn atomic_updates(&mut self) {
        for write in self.interpreter.events.writes_back.clone() {
            if !write.atomic || !write.read.atomic || write.validated || !self.is_reached(&write.place) {
                continue;
            }
            // One lock over both, that every writer holds.
            let kept = write.place.held.iter().any(|held| write.read.locks.contains(&held.lock));
            let by_test_alone = write.by_test && !self.runs_twice(&write);
            if kept && !write.read.is_expired() || by_test_alone || !self.has_other_writer(&write) {
                continue;
            }
            let name = self.text(write.address);
            let spots = vec![
                self.spot(&write.place, format!("stores `{name}` in a second step")),
                self.bare_spot(write.read.at, format!("reads `{name}`")),
            ];
            let message = format!(
                "`{name}` is read and stored in two atomic steps: an update by another thread in between is lost"
            );
            self.report(LintRule::AtomicReadThenWrite, message, spots);
        }
    }

    /// Another thread may execute the same instruction at the same time.
    fn runs_twice(&self, write: &WriteBack) -> bool {
        let root = write.place.root;
        let same = |a: &Access| {
            a.write && a.place.at == write.place.at && self.facts.may_run_beside(root, a.place.root)
        };
        self.accesses.iter().any(same)
    }

    fn has_other_writer(&mut self, write: &WriteBack) -> bool {
        let accesses = self.accesses.clone();
        let own = accesses.iter().filter(|a| {
            a.write
                && a.place.at == write.place.at
                && a.place.root == write.place.root
                && a.address == write.address
        });
        let own: Vec<&Access> = own.collect();
        let class = self.interpreter.class(write.address);
        accesses.iter().any(|other| {
            other.write
                && !other.called_back
                && (other.address == write.address || self.interpreter.class(other.address) == class)
                && own.iter().any(|a| self.facts.may_overlap(a, other))
        })
    }
}
