//! What follows from the events of all threads: which may run at the same time, which names mean one object in all threads,
//! which locks two accesses have in common, and what orders them.

use std::collections::BTreeSet;

use raddle_ir::{Callee, FunctionId, Hold, Inst};
use rustc_hash::{FxHashMap, FxHashSet};

use super::events::Access;
use super::interpret::{Interpreter, RootKind};
use super::state::{Held, RootId};
use super::symbols::{Name, Symbol};

pub struct Facts {
    /// Pairs of threads of which both may run, also two of one start.
    beside: FxHashSet<(RootId, RootId)>,
    /// By thread: those that it creates, and so on.
    descendants: Vec<BTreeSet<RootId>>,
    /// Addresses whose content changes while threads run.
    changing: FxHashSet<Symbol>,
    single: FxHashMap<Symbol, bool>,
}

impl Facts {
    pub fn of(interpreter: &Interpreter) -> Facts {
        let roots = &interpreter.roots;
        let mut beside = interpreter.beside.clone();
        for (index, root) in roots.iter().enumerate() {
            if root.several {
                beside.insert((index, index));
            }
        }
        let exported: Vec<usize> =
            (0..roots.len()).filter(|r| roots[*r].kind == RootKind::Exported).collect();
        for a in &exported {
            for (b, other) in roots.iter().enumerate() {
                if matches!(other.kind, RootKind::Exported | RootKind::Created) {
                    beside.insert((*a, b));
                    beside.insert((b, *a));
                }
            }
        }
        let mut descendants = vec![BTreeSet::new(); roots.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for child in 0..roots.len() {
                for parent in roots[child].parents.iter().copied() {
                    let mut more = descendants[child].clone();
                    more.insert(child);
                    let before = descendants[parent].len();
                    descendants[parent].extend(more);
                    changed |= descendants[parent].len() != before;
                    // A child may run beside all that its creator runs beside.
                    let others: Vec<RootId> =
                        beside.iter().filter(|(a, b)| *a == parent && *b != child).map(|(_, b)| *b).collect();
                    for other in others {
                        if other != parent {
                            changed |= beside.insert((child, other));
                            changed |= beside.insert((other, child));
                        }
                    }
                }
            }
        }
        let mut facts =
            Facts { beside, descendants, changing: FxHashSet::default(), single: FxHashMap::default() };
        for access in interpreter.events.accesses.iter().filter(|a| a.write && !a.called_back) {
            if !facts.is_before_threads(interpreter, access) {
                facts.changing.insert(access.address);
            }
        }
        facts
    }

    /// The thread is the first, and no other runs.
    pub fn is_before_threads(&self, interpreter: &Interpreter, access: &Access) -> bool {
        interpreter.roots[access.place.root].kind == RootKind::First && access.live.is_empty()
    }

    pub fn may_run_beside(&self, a: RootId, b: RootId) -> bool {
        self.beside.contains(&(a, b))
    }

    /// Whether two accesses may be made at the same time, by what is known of creation and join.
    pub fn may_overlap(&self, a: &Access, b: &Access) -> bool {
        let (x, y) = (a.place.root, b.place.root);
        let among = |live: &[RootId], root: RootId| {
            live.iter().any(|l| *l == root || self.descendants[*l].contains(&root))
        };
        if x != y && self.descendants[x].contains(&y) {
            return among(&a.live, y);
        }
        if x != y && self.descendants[y].contains(&x) {
            return among(&b.live, x);
        }
        self.may_run_beside(x, y)
    }

    /// The same of what is done while these threads are alive.
    pub fn may_overlap_at(&self, (x, live_x): (RootId, &[RootId]), (y, live_y): (RootId, &[RootId])) -> bool {
        let among = |live: &[RootId], root: RootId| {
            live.iter().any(|l| *l == root || self.descendants[*l].contains(&root))
        };
        if x != y && self.descendants[x].contains(&y) {
            return among(live_x, y);
        }
        if x != y && self.descendants[y].contains(&x) {
            return among(live_y, x);
        }
        self.may_run_beside(x, y)
    }

    /// Whether a name means the same object in all threads and at all times.
    pub fn is_single(&mut self, interpreter: &Interpreter, symbol: Symbol) -> bool {
        if let Some(known) = self.single.get(&symbol) {
            return *known;
        }
        let single = match interpreter.symbols.name(symbol) {
            Name::Global(_) | Name::AtomicSections => true,
            Name::Local(function, pc) | Name::Heap(function, pc) => {
                let body = interpreter.program.function(*function);
                let is_block = matches!(interpreter.symbols.name(symbol), Name::Heap(..));
                !interpreter.is_entered_by_several(*function)
                    && !super::rules::is_in_cycle(body, *pc)
                    && (!is_block || runs_once(interpreter, *function, DEEPEST))
            }
            Name::Offset(base, _) => self.is_single(interpreter, *base),
            Name::Load(address) => !self.changing.contains(address) && self.is_single(interpreter, *address),
            _ => false,
        };
        self.single.insert(symbol, single);
        single
    }

    /// A lock that two accesses have in common, of which one hold is exclusive.
    pub fn common_lock(&mut self, interpreter: &Interpreter, a: &[Held], b: &[Held]) -> bool {
        a.iter().any(|x| {
            b.iter().any(|y| {
                x.lock == y.lock
                    && (x.hold != Hold::Shared || y.hold != Hold::Shared)
                    && self.is_single(interpreter, x.lock)
            })
        })
    }

    /// Whether one of them may wait for what the other thread releases: an order that this analysis does not follow.
    pub fn may_be_ordered(&self, interpreter: &Interpreter, a: &Access, b: &Access) -> bool {
        let posted = &interpreter.events.posted;
        let waits_for = |waiter: &Access, other: &Access| {
            waiter.after.iter().any(|object| {
                let by = |root: &RootId| posted.get(root).is_some_and(|all| all.contains(object));
                by(&other.place.root)
            })
        };
        waits_for(a, b) || waits_for(b, a)
    }
}

/// Callers that are followed.
const DEEPEST: u32 = 8;

/// Whether a function is called at one place only, which is in no loop, and so are its callers.
fn runs_once(interpreter: &Interpreter, function: FunctionId, depth: u32) -> bool {
    let mut sites = Vec::new();
    for (index, body) in interpreter.program.functions.iter().enumerate() {
        for (pc, inst) in body.code.iter().enumerate() {
            if matches!(inst, Inst::Call(call) if call.callee == Callee::Direct(function)) {
                sites.push((FunctionId::new(index), pc as u32));
            }
        }
    }
    match sites[..] {
        [] => true,
        [(caller, pc)] => {
            depth > 0
                && !super::rules::is_in_cycle(interpreter.program.function(caller), pc)
                && runs_once(interpreter, caller, depth - 1)
        }
        _ => false,
    }
}
