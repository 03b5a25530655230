//! Abstraction functions: states are matched by the result of a C function (Zaks and Joshi, *Verifying Multi-threaded C
//! Programs with SPIN*, SPIN 2008, section 3.1).
//!
//! The function writes the data that matter into a buffer; with it are matched the places of all threads, so that a
//! thread that computes without changing the data still advances. Everything else is kept, but not matched: of
//! several states with the same abstraction the first is explored, and the others are not. So nothing is proved by
//! such a search.

use raddle_ir::FunctionId;
use raddle_machine::{Machine, State, Status};
use rustc_hash::FxHashSet;

pub struct Matching {
    function: FunctionId,
    seen: FxHashSet<Box<[u8]>>,
    /// Why the function had no value for some state: it was then explored as it is.
    pub trouble: Option<String>,
    /// Roughly, of the visited abstractions.
    pub bytes: u64,
}

impl Matching {
    pub fn new(function: FunctionId) -> Matching {
        Matching { function, seen: FxHashSet::default(), trouble: None, bytes: 0 }
    }

    /// Whether no state with this abstraction was visited before. `tail`: what a bound on switches adds.
    pub fn is_new(&mut self, machine: &Machine, state: &State, tail: &[u32]) -> bool {
        let data = match machine.abstraction(state, self.function) {
            Ok(data) => data,
            Err(why) => {
                self.trouble.get_or_insert(why);
                return true;
            }
        };
        let mut key = Vec::with_capacity(data.len() + 64);
        for number in tail {
            key.extend(number.to_le_bytes());
        }
        for (_, thread) in state.threads() {
            key.extend(thread.number.to_le_bytes());
            key.push(match thread.status {
                Status::Running => 0,
                Status::Finished => 1,
                Status::Stopped { .. } => 2,
                Status::Diverged => 3,
                Status::Assumed => 4,
            });
            key.push(thread.frames.len() as u8);
            for frame in &thread.frames {
                key.extend(frame.function.0.to_le_bytes());
                key.extend(frame.pc.to_le_bytes());
            }
        }
        key.push(state.end().is_some() as u8);
        key.extend(data);
        let length = key.len() as u64;
        let new = self.seen.insert(key.into_boxed_slice());
        if new {
            self.bytes += length + 40;
        }
        new
    }

    pub fn len(&self) -> u64 {
        self.seen.len() as u64
    }
}
