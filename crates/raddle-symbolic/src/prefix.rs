//! The prefix: what the first thread does before it creates another one. It is alone there, so no byte needs events; what it leaves
//! in memory is what the others find first.
//!
//! That needs one state at the first creation: if the executor has other paths open there, the next round executes
//! the prefix with events. Paths that have ended before (by an exit, a failed assumption, a fault) do not matter: in their
//! executions there is no other thread.
//!
//! The contents are terms over inputs, because nothing was read from events. What a store would have taught of them
//! (`contended.rs`) is learnt when the prefix ends.

use std::rc::Rc;

use raddle_machine::ObjectId;
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::contents::{Chunk, Contents};
use crate::executor::{Executor, Initial, Path};
use crate::unrolling::{LIFE, Range};

pub enum Prefix {
    /// The first thread is still alone.
    Open,
    /// What memory held when the first thread was created.
    Ended(FxHashMap<ObjectId, Rc<Contents>>),
}

impl Prefix {
    /// At the start of a round.
    pub fn new(no_prefix: bool) -> Prefix {
        if no_prefix { Prefix::Ended(FxHashMap::default()) } else { Prefix::Open }
    }

    pub fn is_open(&self) -> bool {
        matches!(self, Prefix::Open)
    }

    /// What the prefix has left in an object, if it has accessed it.
    fn left(&self, object: ObjectId) -> Option<&Contents> {
        match self {
            Prefix::Open => None,
            Prefix::Ended(memory) => memory.get(&object).map(|contents| &**contents),
        }
    }
}

impl Executor<'_> {
    /// The path is about to create a thread.
    pub(crate) fn end_prefix(&mut self, path: &Path) {
        if !self.prefix.is_open() {
            return;
        }
        self.learned.no_prefix |= self.open_paths > 0;
        for (object, contents) in &path.state.memory {
            for (offset, chunk) in contents.iter().filter(|(offset, _)| *offset != LIFE) {
                self.learn_contents(*object, offset, *chunk);
                if chunk.width() == 64
                    && self.knowledge.is_contended(Range { object: *object, offset, length: chunk.length })
                {
                    self.publish(chunk.bits);
                }
            }
        }
        self.prefix = Prefix::Ended(path.state.memory.clone());
    }

    /// What is to be known of the first contents of contended bytes.
    fn learn_contents(&mut self, object: ObjectId, offset: u32, chunk: Chunk) {
        if chunk.wide {
            self.learned.wide.insert((object, offset));
        }
        if chunk.width() == 64 {
            self.learn_pointers(object, offset, chunk.bits);
        } else if self.d.as_constant(chunk.bits).is_none() {
            self.learned.store_in_parts(Range { object, offset, length: chunk.length });
        }
    }

    /// The bytes of a range when a second thread begins, or for the first thread before any store.
    pub fn initial(&self, range: Range) -> Option<Chunk> {
        let Range { object, offset, length } = range;
        let Some(left) = self.prefix.left(object) else { return self.before_any_store(range) };
        let missing = left.missing(offset, length);
        if missing.is_empty() {
            return left.load(&self.d, offset, length).ok();
        }
        if missing == [(offset, length)] {
            return self.before_any_store(range);
        }
        let mut filled = left.clone();
        for (offset, length) in missing {
            let first = self.before_any_store(Range { object, offset, length })?;
            filled.store(&self.d, offset, first).ok()?;
        }
        filled.load(&self.d, offset, length).ok()
    }

    /// The bytes of a range before any store.
    fn before_any_store(&self, range: Range) -> Option<Chunk> {
        let Range { object, offset, length } = range;
        let d = &self.d;
        let number = |bits: u64| {
            let zero = d.constant(8 * length, 0);
            Chunk { length, bits: d.constant(8 * length, bits), undefined: zero, wide: false }
        };
        if offset == LIFE {
            return Some(number(1));
        }
        let zero = || {
            let zero = d.with(|t| t.constant(8 * length, 0u64));
            Chunk { length, bits: zero, undefined: zero, wide: false }
        };
        match self.objects.get(&object).map(|info| &info.initial) {
            None | Some(Initial::Zero) => Some(zero()),
            Some(Initial::Indeterminate) => Some(crate::contents::indeterminate(d, length)),
            Some(Initial::Of(content)) => {
                let word = self.program.data_model.pointer_bytes();
                if word == 4 && length == 4 && content.holds_pointer(offset, word) {
                    let bits = d.constant(64, content.whole_pointer(offset));
                    return Some(Chunk { length, bits, undefined: d.constant(64, 0), wide: true });
                }
                if word == 4 && content.holds_any_pointer(offset, length, word) {
                    return None;
                }
                let mut joined: Option<(Term, Term)> = None;
                for at in (offset..offset + length).step_by(8) {
                    let part = content.load(at, (offset + length - at).min(8));
                    let width = 8 * (offset + length - at).min(8);
                    let (bits, undefined) = (d.constant(width, part.bits), d.constant(width, part.undefined));
                    joined = Some(match joined {
                        None => (bits, undefined),
                        Some((b, u)) => d.with(|t| (t.concat(bits, b), t.concat(undefined, u))),
                    });
                }
                let (bits, undefined) = joined?;
                Some(Chunk { length, bits, undefined, wide: false })
            }
        }
    }
}
