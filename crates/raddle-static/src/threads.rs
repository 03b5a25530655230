//! Which threads there are, and which of them may run beside which.
//!
//! Threads form a tree: each is named by its creator, the call that created it, and how often its creator had executed that
//! call before. The names are those of *abstract* threads: beyond [`MOST_AT_ONE_SITE`], and where paths of different counts
//! meet, one name stands for many instances.
//!
//! A thread's state holds which children may run (`Child::Running`) or were surely joined (`Child::Joined`: then those of
//! *its* children that it did not join may still run). Two accesses are unordered only if
//! - they are of a thread and a descendant, and the child that leads to it is among those that may run, or has left it behind;
//! - or they are below two children of one thread that may have run at the same time;
//! - or they are below one name of several instances;
//! - or they are below a thread that creates its own kind, itself or through others: its instances form a tree of any depth
//!   under one name, of which nothing is known but that all of it follows the creation of the first. A join of one
//!   instance orders none of the others.
//!
//! # Why the others are ordered
//!
//! Let an access of a thread precede or follow the life of its child: creation and a successful join are edges of
//! happens-before (`raddle-clang/models/pthread_thread.c`), and a name that is not among the children of a state has no instance that
//! was created before and not joined. If a thread was joined before another one was created, its whole life happens before
//! that creation. A join counts only if its argument surely is the number of the one instance; what makes a join return
//! early (detaching, cancelling, joins by other threads) switches all joins off (`assumed.rs`). A thread that ends the
//! process is stopped and never joined, so it stays among the children that may run.
//!
//! It misses: barriers, condition variables and other signals as an order; loops whose number of rounds is not constant.

use std::collections::BTreeSet;

use raddle_ir::FunctionId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::value::Address;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u32);

impl ThreadId {
    pub const MAIN: ThreadId = ThreadId(0);
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Creations at one call that are told apart.
pub const MOST_AT_ONE_SITE: u8 = 72;

/// A child of the thread whose state it is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Child {
    Running(ThreadId),
    Joined(ThreadId),
}

impl Child {
    pub fn thread(self) -> ThreadId {
        match self {
            Child::Running(thread) | Child::Joined(thread) => thread,
        }
    }
}

/// What a thread is given, in a form that means the same in the new thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Given {
    Number(u64),
    Function(FunctionId),
    /// An address in an object that has one instance.
    Exact(Address),
    /// In these objects, by object and offset.
    Within(Vec<(u32, i32)>),
    /// Whatever the parameter may hold.
    Any,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadKey {
    pub parent: ThreadId,
    pub site: (FunctionId, u32),
    /// How many were created there before, up to a limit.
    pub ordinal: u8,
    pub body: FunctionId,
    pub start: FunctionId,
    pub given: Given,
}

#[derive(Default)]
pub struct Threads {
    ids: FxHashMap<ThreadKey, ThreadId>,
    /// None for the first thread.
    keys: Vec<Option<ThreadKey>>,
    /// Pairs of siblings, the second created while the first was in the state of a child.
    beside: FxHashSet<(Child, ThreadId)>,
    /// The children that may run or have left some when the thread ends.
    left: Vec<BTreeSet<Child>>,
    /// Names whose instances may be ancestors of each other.
    recursive: FxHashSet<ThreadId>,
}

impl Threads {
    pub fn new() -> Threads {
        Threads { keys: vec![None], left: vec![BTreeSet::new()], ..Threads::default() }
    }

    pub fn count(&self) -> usize {
        self.keys.len()
    }

    pub fn key(&self, thread: ThreadId) -> Option<&ThreadKey> {
        self.keys[thread.index()].as_ref()
    }

    pub fn named(&mut self, key: ThreadKey) -> ThreadId {
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let id = ThreadId(self.keys.len() as u32);
        self.ids.insert(key.clone(), id);
        self.keys.push(Some(key));
        self.left.push(BTreeSet::new());
        id
    }

    /// A thread is created while its siblings are as they are.
    pub fn created(&mut self, thread: ThreadId, siblings: &[Child]) {
        self.beside.extend(siblings.iter().map(|sibling| (*sibling, thread)));
    }

    /// The thread, or one below it, creates one more instance of its name.
    pub fn creates_its_kind(&mut self, thread: ThreadId) {
        self.recursive.insert(thread);
    }

    pub fn ended(&mut self, thread: ThreadId, children: &[Child]) {
        self.left[thread.index()].extend(children.iter().copied());
    }

    pub fn parent(&self, thread: ThreadId) -> Option<ThreadId> {
        self.key(thread).map(|key| key.parent)
    }

    /// Itself last, the first thread first.
    fn path(&self, thread: ThreadId) -> Vec<ThreadId> {
        let mut path = vec![thread];
        while let Some(parent) = self.parent(path[path.len() - 1]) {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// Whether an ancestor was started at the same site with the same function: threads that create their own kind.
    pub fn ancestor_like(
        &self,
        parent: ThreadId,
        site: (FunctionId, u32),
        start: FunctionId,
    ) -> Option<ThreadId> {
        let alike = |thread: &ThreadId| self.key(*thread).is_some_and(|k| k.site == site && k.start == start);
        self.path(parent).into_iter().find(alike)
    }

    pub fn depth(&self, thread: ThreadId) -> usize {
        self.path(thread).len()
    }

    /// Whether `below` may still run after the end of its ancestor `thread`.
    pub fn is_left_by(&self, thread: ThreadId, below: ThreadId) -> bool {
        let path = self.path(below);
        let Some(at) = path.iter().position(|t| *t == thread) else { return false };
        if path.iter().any(|t| self.recursive.contains(t)) {
            return true;
        }
        let Some(child) = path.get(at + 1) else { return false };
        self.left[thread.index()].contains(&Child::Running(*child))
            || (*child != below
                && self.left[thread.index()].contains(&Child::Joined(*child))
                && self.is_left_by(*child, below))
    }

    /// Whether the thread may leave others behind when it is joined.
    pub fn leaves_any(&self, thread: ThreadId) -> bool {
        self.path(thread).iter().any(|t| self.recursive.contains(t))
            || self.left[thread.index()].iter().any(|child| match child {
                Child::Running(_) => true,
                Child::Joined(child) => self.leaves_any(*child),
            })
    }

    fn may_run_with(&self, child: Child, below: ThreadId) -> bool {
        match child {
            Child::Running(_) => true,
            Child::Joined(child) => self.is_left_by(child, below),
        }
    }

    /// Whether accesses of two threads may be unordered; each with the children of its thread at that time.
    pub fn may_be_unordered(&self, a: (ThreadId, &[Child]), b: (ThreadId, &[Child])) -> bool {
        let (a_path, b_path) = (self.path(a.0), self.path(b.0));
        let common = a_path.iter().zip(&b_path).take_while(|(x, y)| x == y).count();
        // Several instances of one name.
        for thread in &a_path[1..common] {
            if self.recursive.contains(thread) {
                return true;
            }
            if self.beside.contains(&(Child::Running(*thread), *thread)) {
                return true;
            }
            let left = self.beside.contains(&(Child::Joined(*thread), *thread));
            if left && (self.is_left_by(*thread, a.0) || self.is_left_by(*thread, b.0)) {
                return true;
            }
        }
        let runs = |children: &[Child], child: ThreadId, below: ThreadId| {
            children.iter().any(|c| c.thread() == child && self.may_run_with(*c, below))
        };
        match (a_path.get(common), b_path.get(common)) {
            (None, None) => false,
            (None, Some(child)) => runs(a.1, *child, b.0),
            (Some(child), None) => runs(b.1, *child, a.0),
            (Some(x), Some(y)) => {
                let beside = |first: ThreadId, second: ThreadId, below: ThreadId| {
                    self.beside.contains(&(Child::Running(first), second))
                        || self.beside.contains(&(Child::Joined(first), second))
                            && self.is_left_by(first, below)
                };
                beside(*x, *y, a.0) || beside(*y, *x, b.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(threads: &mut Threads, parent: ThreadId, site: u32) -> ThreadId {
        let function = FunctionId(0);
        threads.named(ThreadKey {
            parent,
            site: (function, site),
            ordinal: 0,
            body: function,
            start: function,
            given: Given::Any,
        })
    }

    #[test]
    fn children_that_run_and_those_that_were_left() {
        let mut threads = Threads::new();
        let main = ThreadId::MAIN;
        let first = child(&mut threads, main, 1);
        threads.created(first, &[]);
        let inner = child(&mut threads, first, 2);
        threads.created(inner, &[]);
        let run = [Child::Running(first)];
        let joined = [Child::Joined(first)];
        assert!(!threads.may_be_unordered((main, &[]), (first, &[])));
        assert!(threads.may_be_unordered((main, &run), (inner, &[])));
        assert!(!threads.may_be_unordered((main, &joined), (first, &[])));
        // Its creator joined it, or did not.
        threads.ended(first, &[Child::Joined(inner)]);
        assert!(!threads.may_be_unordered((main, &joined), (inner, &[])) && !threads.leaves_any(first));
        threads.ended(first, &[Child::Running(inner)]);
        assert!(threads.may_be_unordered((main, &joined), (inner, &[])) && threads.leaves_any(first));
    }

    #[test]
    fn threads_that_create_their_own_kind() {
        let mut threads = Threads::new();
        let main = ThreadId::MAIN;
        let kind = child(&mut threads, main, 1);
        threads.created(kind, &[]);
        let inner = child(&mut threads, kind, 2);
        threads.created(inner, &[]);
        threads.ended(kind, &[Child::Joined(inner)]);
        let joined = [Child::Joined(kind)];
        assert!(!threads.may_be_unordered((main, &joined), (kind, &[])) && !threads.leaves_any(kind));
        // Another instance may be left by the one that is joined, and with it what is below.
        threads.creates_its_kind(kind);
        assert!(threads.may_be_unordered((main, &joined), (kind, &[])) && threads.leaves_any(kind));
        assert!(threads.may_be_unordered((main, &joined), (inner, &[])));
        assert!(threads.may_be_unordered((kind, &[]), (kind, &[])));
        assert!(threads.may_be_unordered((kind, &[]), (inner, &[])));
        assert!(!threads.may_be_unordered((main, &[]), (inner, &[])));
        let later = child(&mut threads, main, 3);
        threads.created(later, &joined);
        assert!(threads.may_be_unordered((later, &[]), (inner, &[])));
    }

    #[test]
    fn siblings() {
        let mut threads = Threads::new();
        let main = ThreadId::MAIN;
        let (a, b, c) =
            (child(&mut threads, main, 1), child(&mut threads, main, 2), child(&mut threads, main, 3));
        threads.created(a, &[]);
        threads.created(b, &[Child::Running(a)]);
        threads.created(c, &[Child::Joined(a), Child::Running(b)]);
        let unordered = |x, y| threads.may_be_unordered((x, &[]), (y, &[]));
        assert!(unordered(a, b) && unordered(b, a) && unordered(b, c));
        assert!(!unordered(a, c) && !unordered(a, a));
        // A second instance of one name.
        threads.created(a, &[Child::Running(a)]);
        assert!(threads.may_be_unordered((a, &[]), (a, &[])));
    }
}
