//! Sets of multisets as shared diagrams: how many threads are in which local state, for many states at once.
//!
//! A relative of Minato's zero-suppressed diagrams (1993), for multisets: a node has an element `e` and two sets. Of
//! the multisets that it represents, those without `e` are in `without`; those with `e`, one copy of it taken away,
//! are in `with`. Elements rise along `without` and do not fall along `with`, so a multiset is met with its elements
//! in order, and an element that is in none costs nothing, however many there are: counters that are zero do not
//! exist. Nodes are unique, so equal sets are equal numbers.
//!
//! Nothing is collected while operations run; [`Multisets::keep`] drops what cannot be reached from given sets.

use rustc_hash::{FxHashMap, FxHashSet};

/// A set of multisets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Set(u32);

impl Set {
    /// No multiset.
    pub(crate) const EMPTY: Set = Set(0);
    /// The multiset without elements, alone.
    pub(crate) const UNIT: Set = Set(1);

    pub(crate) fn is_empty(self) -> bool {
        self == Set::EMPTY
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    element: u32,
    without: Set,
    with: Set,
}

/// The element of the two sets that have no node: it comes after all others.
const LAST: u32 = u32::MAX;
/// Results in the cache, at most; one that is evicted is worked out again.
const REMEMBERED: usize = 1 << 18;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    None,
    Union,
    Minus,
    Add,
    Remove,
}

/// Where the diagrams live.
pub(crate) struct Multisets {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Set>,
    remembered: Vec<(Operation, u32, u32, Set)>,
}

impl Multisets {
    pub(crate) fn new() -> Multisets {
        let leaf = Node { element: LAST, without: Set::EMPTY, with: Set::EMPTY };
        Multisets {
            nodes: vec![leaf, leaf],
            unique: FxHashMap::default(),
            remembered: vec![(Operation::None, 0, 0, Set::EMPTY); REMEMBERED],
        }
    }

    /// The number of nodes, unreachable ones included.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, set: Set) -> Node {
        self.nodes[set.0 as usize]
    }

    fn make(&mut self, element: u32, without: Set, with: Set) -> Set {
        if with.is_empty() {
            return without;
        }
        let node = Node { element, without, with };
        if let Some(known) = self.unique.get(&node) {
            return *known;
        }
        let set = Set(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, set);
        set
    }

    fn place(operation: Operation, a: u32, b: u32) -> usize {
        let mixed = (u64::from(a) << 32 | u64::from(b))
            .wrapping_add(operation as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize % REMEMBERED
    }

    fn known(&self, operation: Operation, a: u32, b: u32) -> Option<Set> {
        let (of, x, y, result) = self.remembered[Self::place(operation, a, b)];
        (of == operation && x == a && y == b).then_some(result)
    }

    fn remember(&mut self, operation: Operation, a: u32, b: u32, result: Set) -> Set {
        self.remembered[Self::place(operation, a, b)] = (operation, a, b, result);
        result
    }

    pub(crate) fn union(&mut self, a: Set, b: Set) -> Set {
        if a == b || b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(known) = self.known(Operation::Union, a.0, b.0) {
            return known;
        }
        let (x, y) = (self.node(a), self.node(b));
        let result = if x.element < y.element {
            let without = self.union(x.without, b);
            self.make(x.element, without, x.with)
        } else if y.element < x.element {
            let without = self.union(a, y.without);
            self.make(y.element, without, y.with)
        } else {
            let (without, with) = (self.union(x.without, y.without), self.union(x.with, y.with));
            self.make(x.element, without, with)
        };
        self.remember(Operation::Union, a.0, b.0, result)
    }

    /// What is in the first and not in the second.
    pub(crate) fn minus(&mut self, a: Set, b: Set) -> Set {
        if a == b || a.is_empty() {
            return Set::EMPTY;
        }
        if b.is_empty() {
            return a;
        }
        if let Some(known) = self.known(Operation::Minus, a.0, b.0) {
            return known;
        }
        let (x, y) = (self.node(a), self.node(b));
        let result = if x.element < y.element {
            let without = self.minus(x.without, b);
            self.make(x.element, without, x.with)
        } else if y.element < x.element {
            self.minus(a, y.without)
        } else {
            let (without, with) = (self.minus(x.without, y.without), self.minus(x.with, y.with));
            self.make(x.element, without, with)
        };
        self.remember(Operation::Minus, a.0, b.0, result)
    }

    /// All with one copy of the element more.
    pub(crate) fn add(&mut self, set: Set, element: u32) -> Set {
        if set.is_empty() {
            return set;
        }
        let node = self.node(set);
        if node.element >= element {
            return self.make(element, Set::EMPTY, set);
        }
        if let Some(known) = self.known(Operation::Add, set.0, element) {
            return known;
        }
        let (without, with) = (self.add(node.without, element), self.add(node.with, element));
        let result = self.make(node.element, without, with);
        self.remember(Operation::Add, set.0, element, result)
    }

    /// Those with the element, one copy of it taken away.
    pub(crate) fn remove(&mut self, set: Set, element: u32) -> Set {
        let node = self.node(set);
        if node.element >= element {
            return if node.element == element && set.0 > 1 { node.with } else { Set::EMPTY };
        }
        if let Some(known) = self.known(Operation::Remove, set.0, element) {
            return known;
        }
        let (without, with) = (self.remove(node.without, element), self.remove(node.with, element));
        let result = self.make(node.element, without, with);
        self.remember(Operation::Remove, set.0, element, result)
    }

    /// Those with none of some elements.
    pub(crate) fn avoid(&mut self, set: Set, avoided: &impl Fn(u32) -> bool) -> Set {
        fn go(
            sets: &mut Multisets,
            set: Set,
            avoided: &impl Fn(u32) -> bool,
            done: &mut FxHashMap<Set, Set>,
        ) -> Set {
            if set.0 <= 1 {
                return set;
            }
            if let Some(known) = done.get(&set) {
                return *known;
            }
            let node = sets.node(set);
            let without = go(sets, node.without, avoided, done);
            let with = if avoided(node.element) { Set::EMPTY } else { go(sets, node.with, avoided, done) };
            let result = sets.make(node.element, without, with);
            done.insert(set, result);
            result
        }
        go(self, set, avoided, &mut FxHashMap::default())
    }

    /// The elements that occur, rising.
    pub(crate) fn elements(&self, set: Set) -> Vec<u32> {
        let (mut seen, mut work) = (FxHashSet::default(), vec![set]);
        let mut found = Vec::new();
        while let Some(set) = work.pop() {
            if set.0 > 1 && seen.insert(set) {
                let node = self.node(set);
                found.push(node.element);
                work.extend([node.without, node.with]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How many multisets there are in all of these sets together, each set counted for itself.
    pub(crate) fn count(&self, sets: impl IntoIterator<Item = Set>) -> u128 {
        fn go(sets: &Multisets, set: Set, known: &mut FxHashMap<Set, u128>) -> u128 {
            if set.0 <= 1 {
                return u128::from(set.0);
            }
            if let Some(count) = known.get(&set) {
                return *count;
            }
            let node = sets.node(set);
            let count = go(sets, node.without, known).saturating_add(go(sets, node.with, known));
            known.insert(set, count);
            count
        }
        let mut known = FxHashMap::default();
        sets.into_iter().fold(0, |sum: u128, set| sum.saturating_add(go(self, set, &mut known)))
    }

    /// Whether a multiset, its elements rising, is in the set.
    pub(crate) fn contains(&self, mut set: Set, elements: &[u32]) -> bool {
        let mut left = elements;
        while set.0 > 1 {
            let node = self.node(set);
            match left.first() {
                Some(first) if *first == node.element => {
                    left = &left[1..];
                    set = node.with;
                }
                Some(first) if *first < node.element => return false,
                _ => set = node.without,
            }
        }
        set == Set::UNIT && left.is_empty()
    }

    /// One of the multisets, its elements rising; always the same one.
    pub(crate) fn some(&self, mut set: Set) -> Option<Vec<u32>> {
        let mut elements = Vec::new();
        while set.0 > 1 {
            let node = self.node(set);
            elements.push(node.element);
            set = node.with;
        }
        (set == Set::UNIT).then_some(elements)
    }

    /// One of the multisets with the element, its elements rising; always the same one.
    pub(crate) fn some_with(&self, set: Set, element: u32) -> Option<Vec<u32>> {
        // Depth first over the nodes before the element; each is a dead end once.
        let mut dead = FxHashSet::default();
        let mut path: Vec<(Set, bool)> = vec![(set, false)];
        while let Some((set, returned)) = path.pop() {
            let node = self.node(set);
            if node.element == element && set.0 > 1 {
                let before = path.iter().filter(|(_, with)| *with).map(|(set, _)| self.node(*set).element);
                let mut elements: Vec<u32> = before.collect();
                elements.push(element);
                elements.extend(self.some(node.with)?);
                return Some(elements);
            }
            if set.0 <= 1 || node.element > element || dead.contains(&set) {
                continue;
            }
            if returned {
                // Not with its element: without it.
                dead.insert(set);
                path.push((node.without, false));
            } else {
                path.push((set, true));
                path.push((node.with, false));
            }
        }
        None
    }

    /// Drops all nodes but those of the given sets, which get new numbers.
    pub(crate) fn keep<'a>(&mut self, sets: impl IntoIterator<Item = &'a mut Set>) {
        let old = std::mem::replace(self, Multisets::new());
        let mut moved = FxHashMap::default();
        for set in sets {
            *set = copy(&old, self, *set, &mut moved);
        }
    }
}

fn copy(old: &Multisets, new: &mut Multisets, set: Set, moved: &mut FxHashMap<Set, Set>) -> Set {
    if set.0 <= 1 {
        return set;
    }
    if let Some(known) = moved.get(&set) {
        return *known;
    }
    let node = old.node(set);
    let without = copy(old, new, node.without, moved);
    let with = copy(old, new, node.with, moved);
    let result = new.make(node.element, without, with);
    moved.insert(set, result);
    result
}

#[cfg(test)]
mod tests {
    use super::{Multisets, Set};
    use std::collections::BTreeSet;

    type Plain = BTreeSet<Vec<u32>>;

    fn listed(sets: &mut Multisets, plain: &Plain) -> Set {
        plain.iter().fold(Set::EMPTY, |all, multiset| {
            let one = multiset.iter().fold(Set::UNIT, |one, element| sets.add(one, *element));
            sets.union(all, one)
        })
    }

    fn sorted(mut multiset: Vec<u32>) -> Vec<u32> {
        multiset.sort_unstable();
        multiset
    }

    /// Every operation against sets of vectors, on a few thousand random sets.
    #[test]
    fn operations_are_those_of_plain_sets() {
        let mut sets = Multisets::new();
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let mut plain = || -> Plain {
                (0..random(6)).map(|_| sorted((0..random(5)).map(|_| random(4) as u32).collect())).collect()
            };
            let (a, b) = (plain(), plain());
            let element = random(4) as u32;
            let (x, y) = (listed(&mut sets, &a), listed(&mut sets, &b));
            assert_eq!(sets.count([x]), a.len() as u128);
            let union = a.union(&b).cloned().collect();
            assert_eq!(sets.union(x, y), listed(&mut sets, &union));
            let minus = a.difference(&b).cloned().collect();
            assert_eq!(sets.minus(x, y), listed(&mut sets, &minus));
            let added = a.iter().map(|m| sorted(m.iter().copied().chain([element]).collect())).collect();
            assert_eq!(sets.add(x, element), listed(&mut sets, &added));
            let removed = a.iter().filter_map(|m| {
                let at = m.iter().position(|e| *e == element)?;
                let mut m = m.clone();
                m.remove(at);
                Some(m)
            });
            let removed: Plain = removed.collect();
            assert_eq!(sets.remove(x, element), listed(&mut sets, &removed));
            let avoiding = a.iter().filter(|m| !m.contains(&element)).cloned().collect();
            assert_eq!(sets.avoid(x, &|e| e == element), listed(&mut sets, &avoiding));
            let elements: BTreeSet<u32> = a.iter().flatten().copied().collect();
            assert_eq!(sets.elements(x), elements.into_iter().collect::<Vec<_>>());
            assert!(a.iter().all(|m| sets.contains(x, m)));
            assert!(b.difference(&a).all(|m| !sets.contains(x, m)));
            let with = sets.some_with(x, element);
            assert_eq!(with.is_some(), a.iter().any(|m| m.contains(&element)));
            assert!(with.is_none_or(|m| m.contains(&element) && a.contains(&m)));
            assert_eq!(sets.some(x).is_some(), !a.is_empty());
            assert!(sets.some(x).is_none_or(|m| a.contains(&m)));
            if random(50) == 0 {
                let (mut x, mut y) = (x, y);
                sets.keep([&mut x, &mut y]);
                assert_eq!((x, y), (listed(&mut sets, &a), listed(&mut sets, &b)));
            }
        }
    }
}
