//! What threads do that rules read: accesses, acquisitions, releases, waits, signals, creations, returns; each with the thread,
//! the calls that lead there and the locks that are held.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_ir::FunctionId;

use super::state::{Handle, Held, ReadUnder, RootId};
use super::symbols::Symbol;
use crate::CodePlace;

/// The calls that lead to a function, innermost first.
#[derive(PartialEq, Eq, Debug)]
pub struct Calls {
    pub at: CodePlace,
    pub outer: Option<Rc<Calls>>,
}

/// Where and by which thread.
#[derive(Clone, Debug)]
pub struct Where {
    pub root: RootId,
    pub at: CodePlace,
    pub calls: Option<Rc<Calls>>,
    /// The call of the function in which this is.
    pub context: usize,
    pub held: Rc<[Held]>,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub place: Where,
    pub address: Symbol,
    pub bytes: i64,
    pub write: bool,
    pub atomic: bool,
    pub volatile: bool,
    /// Threads that this one has created and not joined.
    pub live: Rc<[RootId]>,
    pub after: Rc<[Symbol]>,
    /// Initialisation or handler: called back by the library.
    pub called_back: bool,
    /// On a path that depends on the argument of the thread.
    pub by_argument: bool,
}

#[derive(Clone, Debug)]
pub struct Acquire {
    pub place: Where,
    pub lock: Symbol,
    pub shared: bool,
    /// It does not wait for ever.
    pub tried: bool,
    /// Two values were compared by order before.
    pub ordered: bool,
    pub live: Rc<[RootId]>,
}

#[derive(Clone, Debug)]
pub struct Release {
    pub place: Where,
    pub lock: Symbol,
    /// Where it was taken; `None`: not in this thread's known past.
    pub taken: Option<CodePlace>,
}

#[derive(Clone, Debug)]
pub struct Wait {
    pub place: Where,
    pub condition: Symbol,
    pub mutex: Symbol,
    pub holds_mutex: bool,
}

#[derive(Clone, Debug)]
pub struct Signal {
    pub place: Where,
    pub condition: Symbol,
}

#[derive(Clone, Debug)]
pub struct Creation {
    pub place: Where,
    pub handle: Handle,
    pub root: Option<RootId>,
    pub argument: Symbol,
    /// Created with attributes, which may detach it.
    pub attributes: bool,
}

/// A return, with what is held and was released.
#[derive(Clone, Debug)]
pub struct Return {
    pub place: Where,
    pub entry: Rc<[Held]>,
    pub released: BTreeSet<Symbol>,
    /// Threads that are not joined, by handle.
    pub created: BTreeMap<Handle, BTreeSet<RootId>>,
    pub joined: BTreeSet<Handle>,
}

/// A write of a value that depends on an earlier read of the same place.
#[derive(Clone, Debug)]
pub struct WriteBack {
    pub place: Where,
    pub address: Symbol,
    pub atomic: bool,
    pub read: ReadUnder,
    /// The stored value is not computed from the read one; the branch to the store is.
    pub by_test: bool,
    /// The value that was read was compared with a later one.
    pub validated: bool,
}

#[derive(Default)]
pub struct Events {
    pub accesses: Vec<Access>,
    pub acquires: Vec<Acquire>,
    pub releases: Vec<Release>,
    pub waits: Vec<Wait>,
    pub signals: Vec<Signal>,
    pub creations: Vec<Creation>,
    /// Joined or detached.
    pub joins: Vec<(Where, Handle)>,
    /// Calls of functions that initialise or destroy locks.
    pub initialising: BTreeSet<usize>,
    pub returns: Vec<Return>,
    pub writes_back: Vec<WriteBack>,
    /// Copies of bytes: from where, how many.
    pub copies: Vec<(Where, Symbol, i64)>,
    /// Calls that may block, with a held lock whose waiters spin.
    pub blocked: Vec<(Where, FunctionId, Held)>,
    /// What threads release to others without a lock, by root.
    pub posted: BTreeMap<RootId, BTreeSet<Symbol>>,
}
