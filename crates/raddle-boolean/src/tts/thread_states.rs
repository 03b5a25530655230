//! Sets of thread states (a shared and a local state), and a cheap set that holds all reachable ones.
//!
//! A thread state is kept if it is initial, if a thread in a kept one steps into it, or if a kept passive
//! thread moves into it by such a step. Passive threads are assumed in every state that is kept for the same shared state:
//! the set is a thread-modular over-approximation (Flanagan and Qadeer 2003). What is not in it needs no search, and
//! backward search drops vectors with a thread outside of it.
//!
//! The same step from a set of thread states that *are* reachable gives the candidates for the cut-off search.

use super::net::Net;

/// Above so many pairs of shared and local states no set is kept: everything counts as reachable.
const MOST_PAIRS: u64 = 1 << 31;

/// A set of thread states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadStates {
    /// One bit a pair, by shared state.
    bits: Vec<u64>,
    words: usize,
    /// Shared states that occur, with or without threads.
    shared: Vec<bool>,
    size: u64,
    /// There are too many pairs: everything is in.
    everything: bool,
}

impl ThreadStates {
    pub fn none(net: &Net) -> ThreadStates {
        let everything = net.shared as u64 * net.local as u64 > MOST_PAIRS;
        let words = if everything { 0 } else { net.local.div_ceil(64) };
        ThreadStates {
            bits: vec![0; words * net.shared],
            words,
            shared: vec![everything; net.shared],
            size: 0,
            everything,
        }
    }

    pub fn contains(&self, shared: u32, local: u32) -> bool {
        self.everything || self.bits[self.place(shared, local)] >> (local % 64) & 1 == 1
    }

    pub fn contains_shared(&self, shared: u32) -> bool {
        self.shared[shared as usize]
    }

    /// Whether a vector of threads is within the set.
    pub fn admits(&self, shared: u32, entries: &[(u32, u32)]) -> bool {
        self.contains_shared(shared) && entries.iter().all(|(local, _)| self.contains(shared, *local))
    }

    /// How many there are; 0 where everything is in.
    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn is_everything(&self) -> bool {
        self.everything
    }

    fn place(&self, shared: u32, local: u32) -> usize {
        shared as usize * self.words + local as usize / 64
    }

    /// Whether it is new.
    pub fn insert(&mut self, shared: u32, local: u32) -> bool {
        if self.everything {
            return false;
        }
        self.shared[shared as usize] = true;
        let (place, bit) = (self.place(shared, local), 1 << (local % 64));
        let new = self.bits[place] & bit == 0;
        self.bits[place] |= bit;
        self.size += u64::from(new);
        new
    }

    pub fn insert_shared(&mut self, shared: u32) -> bool {
        !std::mem::replace(&mut self.shared[shared as usize], true)
    }

    /// The local states of a shared state.
    pub fn locals(&self, shared: u32) -> impl Iterator<Item = u32> + '_ {
        let row = &self.bits[shared as usize * self.words..(shared as usize + 1) * self.words];
        row.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word as u32 * 64 + bit)
        })
    }

    /// All that is reachable, and more.
    pub fn thread_modular(net: &Net) -> ThreadStates {
        let mut found = ThreadStates::none(net);
        if found.everything {
            return found;
        }
        let mut closure = Closure::new(net);
        closure.add_shared(&mut found, net.start);
        for local in net.exactly.iter().map(|(l, _)| *l).chain(net.any.iter().copied()) {
            closure.add(&mut found, net.start, local);
        }
        closure.run(&mut found);
        found
    }

    /// One step of the same kind: thread states, and shared states, that are not in the set but may follow from it.
    pub fn frontier(&self, net: &Net) -> Frontier {
        let mut frontier = Frontier::default();
        let mut known = self.clone();
        let mut carried = rustc_hash::FxHashSet::default();
        for edge in &net.edges {
            let fires = match edge.needs {
                Some(local) => self.contains(edge.from, local),
                None => self.contains_shared(edge.from),
            };
            if !fires {
                continue;
            }
            if known.insert_shared(edge.to) {
                frontier.shared.push(edge.to);
            }
            for local in &edge.gives {
                if known.insert(edge.to, *local) {
                    frontier.pairs.push((edge.to, *local));
                }
            }
            // Without passive moves, passive threads only change their shared state: once for all such edges.
            if edge.passive.is_empty() && (edge.from == edge.to || !carried.insert((edge.from, edge.to))) {
                continue;
            }
            for local in self.locals(edge.from) {
                for after in edge.passive_targets(local) {
                    if known.insert(edge.to, after) {
                        frontier.pairs.push((edge.to, after));
                    }
                }
            }
        }
        frontier
    }
}

/// What may follow from a set of thread states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frontier {
    pub pairs: Vec<(u32, u32)>,
    pub shared: Vec<u32>,
}

/// The work list of the closure.
struct Closure<'n> {
    net: &'n Net,
    by_source: rustc_hash::FxHashMap<(u32, u32), Vec<u32>>,
    without_thread: Vec<Vec<u32>>,
    /// Steps by which passive threads change their shared state, once some thread takes them: where to and by which edge,
    /// if it has passive moves.
    carries: Vec<Vec<(u32, Option<u32>)>>,
    known_carries: rustc_hash::FxHashSet<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    edges: Vec<u32>,
}

impl<'n> Closure<'n> {
    fn new(net: &'n Net) -> Closure<'n> {
        let mut by_source: rustc_hash::FxHashMap<(u32, u32), Vec<u32>> = rustc_hash::FxHashMap::default();
        let mut without_thread = vec![Vec::new(); net.shared];
        for (index, edge) in net.edges.iter().enumerate() {
            match edge.needs {
                Some(local) => by_source.entry((edge.from, local)).or_default().push(index as u32),
                None => without_thread[edge.from as usize].push(index as u32),
            }
        }
        let carries = vec![Vec::new(); net.shared];
        let known_carries = rustc_hash::FxHashSet::default();
        Closure { net, by_source, without_thread, carries, known_carries, pairs: vec![], edges: vec![] }
    }

    fn add(&mut self, found: &mut ThreadStates, shared: u32, local: u32) {
        self.add_shared(found, shared);
        if found.insert(shared, local) {
            self.pairs.push((shared, local));
        }
    }

    fn add_shared(&mut self, found: &mut ThreadStates, shared: u32) {
        if found.insert_shared(shared) {
            self.edges.extend(&self.without_thread[shared as usize]);
        }
    }

    fn run(&mut self, found: &mut ThreadStates) {
        loop {
            if let Some(index) = self.edges.pop() {
                self.fire(found, index);
            } else if let Some((shared, local)) = self.pairs.pop() {
                self.edges.extend(self.by_source.get(&(shared, local)).into_iter().flatten());
                for at in 0..self.carries[shared as usize].len() {
                    let carry = self.carries[shared as usize][at];
                    self.carry(found, carry, local);
                }
            } else {
                return;
            }
        }
    }

    fn fire(&mut self, found: &mut ThreadStates, index: u32) {
        let edge = &self.net.edges[index as usize];
        self.add_shared(found, edge.to);
        for local in &edge.gives {
            self.add(found, edge.to, *local);
        }
        let carry = (edge.to, (!edge.passive.is_empty()).then_some(index));
        if carry.1.is_none() && (edge.from == edge.to || !self.known_carries.insert((edge.from, edge.to))) {
            return;
        }
        self.carries[edge.from as usize].push(carry);
        let here: Vec<u32> = found.locals(edge.from).collect();
        for local in here {
            self.carry(found, carry, local);
        }
    }

    fn carry(&mut self, found: &mut ThreadStates, (to, by): (u32, Option<u32>), local: u32) {
        match by {
            None => self.add(found, to, local),
            Some(index) => {
                for after in self.net.edges[index as usize].passive_targets(local) {
                    self.add(found, to, after);
                }
            }
        }
    }
}
