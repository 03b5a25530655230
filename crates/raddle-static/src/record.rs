//! The accesses that other threads may conflict with, each with what keeps it apart from them.

use raddle_analysis::Targets;
use raddle_ir::FunctionId;
use rustc_hash::FxHashSet;

use crate::state::HeldLock;
use crate::threads::{Child, ThreadId};
use crate::value::Address;

/// An instruction.
pub type Point = (FunctionId, u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    pub thread: ThreadId,
    pub children: Vec<Child>,
    /// The innermost place in the user's code.
    pub user: Point,
    pub write: bool,
    pub atomic: bool,
    /// The name of the address, if it has one.
    pub address: Option<Address>,
    /// In bytes; `None`: to the end of the object, or an unknown number.
    pub length: Option<i64>,
    pub locks: Vec<HeldLock>,
    pub sections: bool,
    /// By object and offset.
    pub places: Vec<(u32, i32)>,
}

impl Access {
    pub fn places_of(targets: &Targets) -> Vec<(u32, i32)> {
        targets.iter().map(|target| (target.object.0, target.offset)).collect()
    }
}

/// All accesses of a pass, each once.
#[derive(Default)]
pub struct Accesses {
    seen: FxHashSet<Access>,
    pub list: Vec<Access>,
}

impl Accesses {
    pub fn add(&mut self, access: Access) {
        if self.seen.insert(access.clone()) {
            self.list.push(access);
        }
    }
}

/// Why nothing is inferred of a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Obstacle {
    pub what: String,
    pub at: Point,
}
