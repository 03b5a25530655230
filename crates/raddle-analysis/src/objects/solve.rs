//! The solver of the points-to analysis: nodes with sets of targets, edges along which sets are passed on, and constraints that
//! add edges as sets grow.
//!
//! Inclusion constraints as a graph are Andersen's (1994). Only what is new in a set is passed on (*difference propagation*: Fecht
//! and Seidl 1998; Pearce, Kelly and Hankin 2003), and constraints of loads, stores, copies and calls wait until edges have nothing
//! left to pass on (as in *wave propagation*, Pereira and Berlin 2009). Nodes on a cycle have one set and become one node (Fähndrich,
//! Foster, Su and Aiken 1998), found by Tarjan's algorithm whenever the graph has grown by a part; edges that move or forget the offset
//! are on no such cycle.
//!
//! # Limits
//!
//! A set of more than [`MAX_TARGETS`] is *full*: it becomes the unknown object alone, and so does what reads it; contents of objects have no
//! limit, unless they are on a cycle with a set that has one. Sound as said in `objects.rs`: what is derived from a full set contains the unknown object, and clients
//! give up where such an address is followed.

mod cycles;

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Objects;
use crate::points_to::{ANYWHERE, CONTENT_OFFSETS, Content, ObjectIndex, Target, Targets, moved, overlaps};

/// More targets than this in one set count as unknown.
const MAX_TARGETS: usize = 400;
/// Cycles are looked for when there are so many new edges, and a quarter of those before.
const NEW_EDGES: usize = 5_000;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Node(u32);

/// What an edge does to offsets: adds bytes, or forgets them ([`ANYWHERE`]).
pub(super) type Shift = i32;

/// A shift by so many bytes; more than the largest object is as good as unknown.
pub(super) fn shift(bytes: i64) -> Shift {
    bytes.clamp(i64::from(i32::MIN) + 1, i64::from(i32::MAX)) as i32
}

fn shifted(target: Target, by: Shift) -> Target {
    match by {
        0 => target,
        ANYWHERE => target.anywhere(),
        bytes => target.moved(i64::from(bytes)),
    }
}

/// What waits for new targets of a node.
#[derive(Clone, Copy)]
enum Use {
    /// So many bytes at the targets are read into the node.
    Load(i64, Node),
    /// A store to the targets, by number.
    Address(u32),
    /// The source of a store, by number.
    Stored(u32),
    /// The destination and the source of a copy, by number.
    CopyTo(u32),
    CopyFrom(u32),
    /// Functions that are called, by number of the call.
    Called(u32),
}

#[derive(Default)]
struct NodeState {
    set: Targets,
    /// New targets that edges have not passed on.
    fresh: Vec<Target>,
    /// New targets that constraints have not seen.
    unused: Vec<Target>,
    edges: Vec<(Node, Shift)>,
    uses: Vec<Use>,
    limited: bool,
    full: bool,
    queued: bool,
    waiting: bool,
}

/// Who reads an object.
#[derive(Clone, Copy)]
enum Reader {
    Node(i64, Node),
    Copy(u32),
}

#[derive(Default)]
struct Cells {
    /// What was stored, by offset.
    cells: Vec<(i32, Node)>,
    /// All of it together, once something reads the object at an unknown offset.
    whole: Option<Node>,
    readers: Vec<(i32, Reader)>,
}

struct Store {
    address: Node,
    source: Node,
    /// The source has targets.
    active: bool,
}

struct Copy {
    to: Node,
    length: Option<i64>,
    /// What is copied, by how far it moves.
    moves: Vec<(Shift, Node)>,
}

/// What a call passes to a function, and what it receives.
#[derive(Clone)]
pub(super) struct Passed {
    pub arguments: Vec<Option<Node>>,
    /// How many of them are not variadic.
    pub fixed: usize,
    pub results: Vec<Node>,
    /// The arguments count: `false` for the calls that threads begin with.
    pub passes: bool,
}

/// What a function receives and gives back.
pub(super) struct Callable {
    pub parameters: Vec<Node>,
    /// None without a body: then anything may come back.
    pub results: Option<Vec<Node>>,
    pub arguments: Option<ObjectIndex>,
    /// It creates a thread: its last arguments are the start function and what that is given.
    pub creates: bool,
}

pub(super) struct Solver {
    nodes: Vec<NodeState>,
    /// By node, the one that stands for it; itself, unless it was on a cycle.
    parents: Vec<u32>,
    /// Edges that keep offsets: all, and those at the last search for cycles.
    edges: usize,
    searched: usize,
    /// Objects that were in sets that became full.
    lost: Vec<bool>,
    objects: Vec<Cells>,
    /// By object: the function that it is.
    functions: Vec<Option<u32>>,
    callables: Vec<Callable>,
    stores: Vec<Store>,
    copies: Vec<Copy>,
    /// Through pointers.
    calls: Vec<(Node, Rc<Passed>)>,
    /// Calls through pointers, and functions that they were found to call.
    connected: FxHashSet<(u32, u32)>,
    /// Targets of calls that were found and are not called yet.
    found: Vec<(u32, Vec<Target>)>,
    /// Edges that constraints have added.
    added: FxHashSet<(Node, Node, Shift)>,
    queue: VecDeque<Node>,
    waiting: VecDeque<Node>,
    /// The node of the unknown object.
    unknown: Node,
    pub given: Node,
    pub blocks: Node,
    /// By function, the node of its first register.
    registers: Vec<(u32, usize)>,
    left: u64,
}

impl Solver {
    /// `functions`: by object, the function that it is; `registers`: how many each function has.
    pub fn new(functions: Vec<Option<u32>>, registers: &[usize]) -> Solver {
        let objects = functions.iter().map(|_| Cells::default()).collect();
        let mut solver = Solver {
            nodes: Vec::new(),
            parents: Vec::new(),
            edges: 0,
            searched: 0,
            lost: vec![false; functions.len()],
            objects,
            functions,
            callables: Vec::new(),
            stores: Vec::new(),
            copies: Vec::new(),
            calls: Vec::new(),
            connected: FxHashSet::default(),
            found: Vec::new(),
            added: FxHashSet::default(),
            queue: VecDeque::new(),
            waiting: VecDeque::new(),
            unknown: Node(0),
            given: Node(1),
            blocks: Node(2),
            registers: Vec::new(),
            left: u64::MAX,
        };
        for _ in 0..3 {
            solver.unlimited();
        }
        solver.insert(solver.unknown, Target::SHARED);
        for count in registers {
            solver.registers.push((solver.nodes.len() as u32, *count));
            for _ in 0..*count {
                solver.node();
            }
        }
        solver
    }

    pub fn node(&mut self) -> Node {
        self.parents.push(self.nodes.len() as u32);
        self.nodes.push(NodeState { limited: true, ..NodeState::default() });
        Node(self.nodes.len() as u32 - 1)
    }

    /// A node whose set may have any size.
    pub fn unlimited(&mut self) -> Node {
        let node = self.node();
        self.nodes[node.0 as usize].limited = false;
        node
    }

    fn find(&mut self, node: Node) -> Node {
        let mut at = node.0 as usize;
        while self.parents[at] as usize != at {
            let above = self.parents[at] as usize;
            self.parents[at] = self.parents[above];
            at = above;
        }
        Node(at as u32)
    }

    pub fn register(&self, function: usize, register: usize) -> Node {
        Node(self.registers[function].0 + register as u32)
    }

    pub fn unknown(&self) -> Node {
        self.unknown
    }

    pub fn set_callables(&mut self, callables: Vec<Callable>) {
        self.callables = callables;
    }

    pub fn insert(&mut self, node: Node, target: Target) {
        let node = self.find(node);
        self.insert_at(node, target);
    }

    /// The node stands for itself.
    fn insert_at(&mut self, node: Node, target: Target) {
        let state = &mut self.nodes[node.0 as usize];
        if state.full {
            self.lost[target.object.index()] = true;
            return;
        }
        let Some(new) = state.set.grow(target) else { return };
        state.fresh.push(new);
        if !std::mem::replace(&mut state.queued, true) {
            self.queue.push_back(node);
        }
        self.limit(node);
    }

    /// Many at once, to a node that stands for itself.
    fn insert_all(&mut self, node: Node, targets: Vec<Target>) {
        let state = &mut self.nodes[node.0 as usize];
        if state.full || targets.is_empty() {
            return targets.iter().for_each(|target| self.lost[target.object.index()] = true);
        }
        let new = state.set.grow_by(targets);
        if new.is_empty() {
            return;
        }
        state.fresh.extend(new);
        if !std::mem::replace(&mut state.queued, true) {
            self.queue.push_back(node);
        }
        self.limit(node);
    }

    fn limit(&mut self, node: Node) {
        let state = &mut self.nodes[node.0 as usize];
        if state.limited && state.set.len() > MAX_TARGETS {
            state.set.iter().for_each(|target| self.lost[target.object.index()] = true);
            state.full = true;
            state.set = Targets::shared();
            state.fresh = vec![Target::SHARED];
            state.unused = Vec::new();
        }
    }

    /// What `from` has, `to` has, moved.
    pub fn edge(&mut self, from: Node, to: Node, by: Shift) {
        let (from, to) = (self.find(from), self.find(to));
        // To a full set as well: what arrives there later is lost, too.
        if from == to && by == 0 {
            return;
        }
        self.edges += usize::from(by == 0);
        self.nodes[from.0 as usize].edges.push((to, by));
        let [source, sink] = [from, to].map(|node| &self.nodes[node.0 as usize].set);
        let missing = sink.missing(source.as_slice(), |target| shifted(target, by));
        self.left = self.left.saturating_sub(source.len() as u64);
        self.insert_all(to, missing);
    }

    /// An edge that a constraint adds, once.
    fn add(&mut self, from: Node, to: Node, by: Shift) {
        self.left = self.left.saturating_sub(1);
        let (from, to) = (self.find(from), self.find(to));
        if !(from == to && by == 0) && self.added.insert((from, to, by)) {
            self.edge(from, to, by);
        }
    }

    fn set(&mut self, node: Node) -> Targets {
        let node = self.find(node);
        self.nodes[node.0 as usize].set.clone()
    }

    /// Adds a use of a node, which may have passed targets on before.
    fn use_of(&mut self, node: Node, what: Use) {
        let node = self.find(node);
        let state = &mut self.nodes[node.0 as usize];
        state.uses.push(what);
        let seen: Vec<Target> = state.set.iter().filter(|target| !state.fresh.contains(target)).collect();
        if !seen.is_empty() {
            self.constrain(what, &seen);
        }
    }

    pub fn load(&mut self, address: Node, length: i64, destination: Node) {
        self.use_of(address, Use::Load(length, destination));
    }

    pub fn store(&mut self, address: Node, source: Node) {
        let id = self.stores.len() as u32;
        self.stores.push(Store { address, source, active: false });
        self.use_of(address, Use::Address(id));
        self.use_of(source, Use::Stored(id));
    }

    /// `length`: `None` if it is not known.
    pub fn copy(&mut self, to: Node, from: Node, length: Option<i64>) {
        let id = self.copies.len() as u32;
        self.copies.push(Copy { to, length, moves: Vec::new() });
        self.use_of(to, Use::CopyTo(id));
        self.use_of(from, Use::CopyFrom(id));
    }

    /// A call through a pointer.
    pub fn call(&mut self, pointer: Node, passed: Rc<Passed>) {
        let id = self.calls.len() as u32;
        self.calls.push((pointer, passed));
        self.use_of(pointer, Use::Called(id));
    }

    /// The content of an object at an offset, from its initialiser.
    pub fn initial(&mut self, object: ObjectIndex, offset: i32, target: Target) {
        let cell = self.cell(object, offset);
        self.insert(cell, target);
    }

    /// Passes on all that is new until nothing is; `false`: the effort ended before.
    pub fn solve(&mut self, most: u64) -> bool {
        self.left = most;
        loop {
            if self.edges > self.searched + self.searched / 4 + NEW_EDGES {
                self.collapse_cycles();
            }
            while let Some(node) = self.queue.pop_front() {
                if self.left == 0 {
                    return false;
                }
                self.pass_on(node);
            }
            let waiting = std::mem::take(&mut self.waiting);
            for node in &waiting {
                self.constrain_node(*node);
            }
            if waiting.is_empty() {
                // Calls come last: an unknown target makes the others irrelevant.
                let calls = std::mem::take(&mut self.found);
                if calls.is_empty() {
                    return true;
                }
                for (id, functions) in calls {
                    self.called(id, &functions);
                }
            }
        }
    }

    fn constrain_node(&mut self, node: Node) {
        let node = self.find(node);
        let state = &mut self.nodes[node.0 as usize];
        state.waiting = false;
        let fresh = std::mem::take(&mut state.unused);
        let uses = std::mem::take(&mut state.uses);
        for what in &uses {
            self.constrain(*what, &fresh);
        }
        let more = std::mem::replace(&mut self.nodes[node.0 as usize].uses, uses);
        self.nodes[node.0 as usize].uses.extend(more);
    }

    fn pass_on(&mut self, node: Node) {
        if self.find(node) != node {
            return;
        }
        let state = &mut self.nodes[node.0 as usize];
        state.queued = false;
        let mut fresh = std::mem::take(&mut state.fresh);
        fresh.sort_unstable();
        let edges = std::mem::take(&mut state.edges);
        if !state.uses.is_empty() {
            state.unused.extend(&fresh);
            if !std::mem::replace(&mut state.waiting, true) {
                self.waiting.push_back(node);
            }
        }
        self.left = self.left.saturating_sub(1 + (edges.len() * fresh.len()) as u64);
        for (to, by) in &edges {
            let to = self.find(*to);
            if to == node && *by == 0 {
                continue;
            }
            let missing = self.nodes[to.0 as usize].set.missing(&fresh, |target| shifted(target, *by));
            self.insert_all(to, missing);
        }
        self.nodes[node.0 as usize].edges = edges;
    }

    fn constrain(&mut self, what: Use, fresh: &[Target]) {
        match what {
            Use::Load(length, destination) => {
                for target in fresh {
                    self.read(*target, length, destination);
                }
            }
            Use::Address(id) => {
                let Store { source, active, .. } = self.stores[id as usize];
                for target in fresh.iter().filter(|_| active) {
                    let cell = self.cell(target.object, target.offset);
                    self.add(source, cell, 0);
                }
            }
            Use::Stored(id) => {
                let store = &mut self.stores[id as usize];
                if !std::mem::replace(&mut store.active, true) {
                    let (address, source) = (store.address, store.source);
                    for target in self.set(address).iter() {
                        let cell = self.cell(target.object, target.offset);
                        self.add(source, cell, 0);
                    }
                }
            }
            Use::CopyFrom(id) => {
                for target in fresh {
                    self.copy_from(id, *target);
                }
            }
            Use::CopyTo(id) => {
                for index in 0..self.copies[id as usize].moves.len() {
                    let (by, content) = self.copies[id as usize].moves[index];
                    for target in fresh {
                        let place = shifted(*target, by);
                        let cell = self.cell(place.object, place.offset);
                        self.add(content, cell, 0);
                    }
                }
            }
            Use::Called(id) => self.found.push((id, fresh.to_vec())),
        }
    }

    /// So many bytes at a place are read into a node.
    fn read(&mut self, place: Target, length: i64, destination: Node) {
        if place.object == ObjectIndex::UNKNOWN {
            return self.insert(destination, Target::SHARED);
        }
        let index = place.object.index();
        if place.offset == ANYWHERE {
            let whole = match self.objects[index].whole {
                Some(whole) => whole,
                None => {
                    let whole = self.node();
                    self.objects[index].whole = Some(whole);
                    for (_, cell) in self.objects[index].cells.clone() {
                        self.edge(cell, whole, 0);
                    }
                    whole
                }
            };
            return self.add(whole, destination, 0);
        }
        self.objects[index].readers.push((place.offset, Reader::Node(length, destination)));
        for at in 0..self.objects[index].cells.len() {
            let (stored, cell) = self.objects[index].cells[at];
            if overlaps(stored, place.offset, length) {
                self.add(cell, destination, 0);
            }
        }
    }

    /// The node of what is stored at a place.
    fn cell(&mut self, object: ObjectIndex, offset: i32) -> Node {
        let offset = if object == ObjectIndex::UNKNOWN { ANYWHERE } else { offset };
        let cells = &self.objects[object.index()].cells;
        let known = |offset: i32| cells.iter().find(|(at, _)| *at == offset).map(|(_, node)| *node);
        if let Some(node) = known(offset) {
            return node;
        }
        let offset = if cells.len() >= CONTENT_OFFSETS { ANYWHERE } else { offset };
        if let Some(node) = known(offset) {
            return node;
        }
        let node = self.unlimited();
        let own = &mut self.objects[object.index()];
        own.cells.push((offset, node));
        let (whole, readers) = (own.whole, own.readers.clone());
        if let Some(whole) = whole {
            self.edge(node, whole, 0);
        }
        for (from, reader) in readers {
            match reader {
                Reader::Node(length, destination) if overlaps(offset, from, length) => {
                    self.add(node, destination, 0);
                }
                Reader::Copy(id) => self.copy_cell(id, from, offset, node),
                Reader::Node(..) => {}
            }
        }
        node
    }

    fn copy_from(&mut self, id: u32, source: Target) {
        if source.object == ObjectIndex::UNKNOWN {
            return self.copied(id, ANYWHERE, self.unknown);
        }
        let index = source.object.index();
        self.objects[index].readers.push((source.offset, Reader::Copy(id)));
        for at in 0..self.objects[index].cells.len() {
            let (stored, cell) = self.objects[index].cells[at];
            self.copy_cell(id, source.offset, stored, cell);
        }
    }

    fn copy_cell(&mut self, id: u32, from: i32, stored: i32, cell: Node) {
        if !self.copies[id as usize].length.is_none_or(|length| overlaps(stored, from, length)) {
            return;
        }
        let exact = stored != ANYWHERE && from != ANYWHERE;
        let by = if exact { shift(i64::from(stored) - i64::from(from)) } else { ANYWHERE };
        self.copied(id, by, cell);
    }

    /// A copy writes this content, so far from its destination.
    fn copied(&mut self, id: u32, by: Shift, content: Node) {
        let known = self.copies[id as usize].moves.iter().find(|(other, _)| *other == by);
        let node = match known {
            Some((_, node)) => *node,
            None => {
                let node = self.node();
                self.copies[id as usize].moves.push((by, node));
                let to = self.copies[id as usize].to;
                for target in self.set(to).iter() {
                    let place = shifted(target, by);
                    let cell = self.cell(place.object, place.offset);
                    self.add(node, cell, 0);
                }
                node
            }
        };
        self.add(content, node, 0);
    }

    fn called(&mut self, id: u32, fresh: &[Target]) {
        let (pointer, passed) = &self.calls[id as usize];
        let (pointer, passed) = (*pointer, passed.clone());
        // Where it may be any function, what is passed does not matter: the call is reason to give up.
        let pointer = self.find(pointer);
        if self.nodes[pointer.0 as usize].set.has_shared() {
            return passed.results.iter().for_each(|result| self.insert(*result, Target::SHARED));
        }
        for target in fresh {
            if let Some(function) = self.functions[target.object.index()]
                && self.connected.insert((id, function))
            {
                self.connect(function, &passed, true);
            }
        }
    }

    /// A call of a function. `receives`: what it returns is the result.
    pub fn connect(&mut self, function: u32, passed: &Passed, receives: bool) {
        let index = function as usize;
        if passed.passes {
            if let (true, [.., start, argument]) = (self.callables[index].creates, &passed.arguments[..])
                && let Some(argument) = *argument
            {
                self.edge(argument, self.given, 0);
                if let Some(start) = *start {
                    self.start(start, argument);
                }
            }
            for (position, argument) in passed.arguments.iter().enumerate() {
                let parameter = self.callables[index].parameters.get(position).copied();
                if let (Some(argument), Some(parameter)) = (*argument, parameter) {
                    self.edge(argument, parameter, 0);
                }
            }
            if let Some(block) = self.callables[index].arguments {
                for argument in passed.arguments.iter().skip(passed.fixed).copied().flatten() {
                    let address = self.node();
                    self.insert(address, Target { object: block, offset: ANYWHERE });
                    self.store(address, argument);
                }
            }
        }
        if receives {
            for (position, result) in passed.results.iter().enumerate() {
                match &self.callables[index].results {
                    Some(results) => {
                        if let Some(from) = results.get(position).copied() {
                            self.edge(from, *result, 0);
                        }
                    }
                    None => self.insert(*result, Target::SHARED),
                }
            }
        }
    }

    /// Functions of a node are started with an argument.
    pub fn start(&mut self, start: Node, argument: Node) {
        let passed =
            Passed { arguments: vec![Some(argument)], fixed: 1, results: Vec::new(), passes: true }.into();
        self.call(start, passed);
    }

    /// Gives the sets to the result.
    pub fn take(mut self, out: &mut Objects) {
        for (first, count) in std::mem::take(&mut self.registers) {
            let own = (first..first + count as u32).map(|node| self.find(Node(node)).0);
            out.registers.push(own.collect());
        }
        for (index, object) in out.objects.iter_mut().enumerate() {
            let cells = std::mem::take(&mut self.objects[index].cells);
            object.content = Content::of(cells.into_iter().map(|(at, node)| (at, self.set(node))));
        }
        out.given = self.set(self.given);
        out.blocks = self.set(self.blocks);
        out.sets = self.nodes.into_iter().map(|node| node.set).collect();
        out.lost = self.lost;
    }
}

/// The offset of an initialiser.
pub(super) fn offset_of(bytes: u64) -> i32 {
    i64::try_from(bytes).map_or(ANYWHERE, |offset| moved(0, offset))
}
