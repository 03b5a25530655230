//! A state as a vector of numbers, one a component (collapse compression), and back: what engines that store states
//! keep of them.
//!
//! Each global, each thread and each dynamic object is encoded by itself (`states/encode.rs`), and the bytes are
//! given to a [`Dictionary`] that numbers them. Neighbouring states share nearly all of their numbers, so vectors
//! compress well (Laarman, van de Pol, Weber, *Parallel recursive state compression for free*, SPIN 2011), and a step
//! that wrote one global costs the encoding of one global and one thread.
//!
//! With renaming, a component must not depend on the names of objects that it points to. Its bytes leave them out; the
//! objects, in order, are its *links*. Names are given by discovery, as in `states/encode.rs`, and a component with
//! links is numbered once more, as the pair of its bytes' number and its links' names. The vector is: the rest (which
//! thread is inside a section, how the run ended), the globals that can change, the threads by number, the objects in
//! the order of discovery. Objects that nothing points to are left out, unless leaks are checked.
//!
//! Rebuilding gives fresh names from a space that no thread allocates from, so the counters of allocations start again
//! at zero. Without renaming, names and counters are kept. The creator of a thread is not rebuilt: reports come from
//! a replay.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::semantics::copy_on_write::Shared;
use crate::semantics::machine::Machine;
use crate::semantics::memory::Memory;
use crate::semantics::object::Object;
use crate::semantics::pointer::{ObjectId, ObjectName};
use crate::semantics::state::State;
use crate::semantics::thread::Thread;
use crate::states::encode::{EncodeOptions, Encoder};

/// Numbers byte strings: the same number for the same bytes, always.
pub trait Dictionary {
    fn number(&mut self, bytes: &[u8]) -> u32;
    /// Appends the bytes of a number.
    fn read(&mut self, number: u32, out: &mut Vec<u8>);
}

// First bytes of what the dictionary is given.
const PLAIN: u8 = 0;
pub(crate) const LINKED: u8 = 1;

// What an entry of the last part of a vector is.
const STACK: u8 = 0;
pub(crate) const HEAP: u8 = 1;
pub(crate) const GONE_HEAP: u8 = 2;
pub(crate) const GONE_STACK: u8 = 3;
pub(crate) const LOST: u8 = 4;
pub(crate) const RAW: u8 = 5;

/// What is known of a component of the state that others are compared with.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The number of its bytes.
    pub bytes: u32,
    pub links: Vec<ObjectId>,
    pub names: Vec<u32>,
    /// The number in the vector.
    pub number: u32,
}

pub(crate) type Known = Rc<Facts>;

fn plain(number: u32) -> Known {
    Rc::new(Facts { bytes: number, number, ..Facts::default() })
}

/// The components of one state, so that those of its successors that are the same cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Components {
    pub(crate) globals: Vec<Known>,
    /// By index of the thread.
    pub(crate) threads: Vec<Known>,
    /// In the order of discovery; gone objects have no entry of use.
    pub(crate) objects: Vec<(ObjectId, Known)>,
}

/// What the first number of a vector says of the state. Threads by number, 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rest {
    pub threads: usize,
    pub section: u32,
    pub atomic: u32,
    pub ended: bool,
}

impl Components {
    /// Whether every component links to the same objects in both, in the same order of first links. Then all objects
    /// have the same names in both, and would have in any other state with these components in it. Comparing
    /// components with other numbers is not enough: when two objects change their names, a link to one may turn into
    /// a link to the other and look the same.
    pub fn same_links(&self, other: &Components) -> bool {
        let same = |a: &Known, b: &Known| Rc::ptr_eq(a, b) || discovers_alike(&a.links, &b.links);
        let all = |a: &[Known], b: &[Known]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
        let objects = self.objects.iter().zip(&other.objects);
        all(&self.globals, &other.globals)
            && all(&self.threads, &other.threads)
            && self.objects.len() == other.objects.len()
            && objects.into_iter().all(|((i, a), (j, b))| i == j && same(a, b))
    }

    /// What each global that can change links to, and each thread.
    pub fn roots(&self) -> impl Iterator<Item = &[ObjectId]> {
        self.globals.iter().chain(&self.threads).map(|known| &known.links[..])
    }

    /// The number of the bytes of the component at a place of the vector, the rest apart; without the names of its
    /// links.
    pub fn bytes_of(&self, place: usize) -> Option<u32> {
        let objects = self.objects.iter().map(|(_, known)| known);
        self.globals.iter().chain(&self.threads).chain(objects).nth(place.checked_sub(1)?).map(|k| k.bytes)
    }

    /// The objects, in the order of discovery.
    pub fn found(&self) -> impl Iterator<Item = ObjectId> {
        self.objects.iter().map(|(id, _)| *id)
    }
}

/// Whether two lists have the same first links, in the same order.
pub fn discovers_alike(a: &[ObjectId], b: &[ObjectId]) -> bool {
    let first = |links: &[ObjectId], i: usize| !links[..i].contains(&links[i]);
    let firsts = |links: &[ObjectId]| (0..links.len()).filter(|i| first(links, *i)).collect::<Vec<_>>();
    a == b || firsts(a).iter().map(|i| a[*i]).eq(firsts(b).iter().map(|i| b[*i]))
}

/// Turns states into vectors and back.
pub struct Composer<'a, D> {
    pub(crate) machine: &'a Machine,
    pub(crate) options: EncodeOptions<'a>,
    pub dictionary: D,
    /// Globals that can change.
    pub(crate) changing: Vec<u32>,
    /// What is known of their first contents.
    pub(crate) first: Vec<Option<Known>>,
    nothing: Known,
    bytes: Vec<u8>,
    linked: Vec<u8>,
    names: FxHashMap<ObjectId, u32>,
    found: Vec<ObjectId>,
    // What was rebuilt before, by number.
    pub(crate) threads: FxHashMap<u32, (Shared<Thread>, Known)>,
    pub(crate) objects: FxHashMap<u32, (Shared<Object>, Known, ObjectId)>,
    pub(crate) kept_bytes: u64,
    pub(crate) limit_bytes: u64,
}

impl<'a, D: Dictionary> Composer<'a, D> {
    pub fn new(machine: &'a Machine, options: EncodeOptions<'a>, dictionary: D) -> Self {
        let globals = machine.program.globals.iter().enumerate();
        let changing: Vec<u32> =
            globals.filter(|(_, g)| !g.constant && !g.thread_local).map(|(i, _)| i as u32).collect();
        Composer {
            machine,
            options,
            dictionary,
            first: changing.iter().map(|_| None).collect(),
            changing,
            nothing: plain(0),
            bytes: Vec::new(),
            linked: Vec::new(),
            names: FxHashMap::default(),
            found: Vec::new(),
            threads: FxHashMap::default(),
            objects: FxHashMap::default(),
            kept_bytes: 0,
            limit_bytes: crate::states::rebuild::KEPT_BYTES,
        }
    }

    /// Appends the vector of a state, and gives its components. `base` is a state that shares components with it.
    /// Renaming must be off when the state is exposed.
    pub fn compose(
        &mut self,
        state: &State,
        base: Option<(&State, &Components)>,
        vector: &mut Vec<u32>,
        into: &mut Components,
    ) {
        debug_assert!(!(self.options.rename && state.memory.exposed));
        self.names.clear();
        self.found.clear();
        into.globals.clear();
        into.threads.clear();
        into.objects.clear();
        let rest = self.rest(state);
        vector.push(rest.number);
        for position in 0..self.changing.len() {
            let index = self.changing[position] as usize;
            let now = &state.memory.globals[index];
            let reused = base
                .filter(|(other, _)| now.same(&other.memory.globals[index]))
                .map(|(_, known)| &known.globals[position]);
            let known = match reused {
                Some(known) => self.renamed(known),
                None => {
                    let untouched = now.same(&self.machine.first_globals()[index]);
                    match self.first[position].clone().filter(|_| untouched) {
                        Some(known) => known,
                        None => {
                            let known = self.fresh(state, |e| e.object(now));
                            // First contents point to globals only.
                            if untouched {
                                self.first[position] = Some(known.clone());
                            }
                            known
                        }
                    }
                }
            };
            vector.push(known.number);
            into.globals.push(known);
        }
        into.threads.extend(state.threads.iter().map(|_| self.nothing.clone()));
        for index in in_order(state) {
            let now = &state.threads[index];
            let reused = base
                .filter(|(other, _)| other.threads.get(index).is_some_and(|t| t.same(now)))
                .map(|(_, known)| &known.threads[index]);
            let known = match reused {
                Some(known) => self.renamed(known),
                None => self.fresh(state, |e| e.thread(now)),
            };
            vector.push(known.number);
            into.threads[index] = known;
        }
        if self.options.rename {
            self.discovered(state, base, vector, into);
        } else {
            self.all(state, vector);
        }
    }

    fn discovered(
        &mut self,
        state: &State,
        base: Option<(&State, &Components)>,
        vector: &mut Vec<u32>,
        into: &mut Components,
    ) {
        let (mut next, mut alive) = (0, 0);
        while let Some(id) = self.found.get(next).copied() {
            let known = match state.memory.dynamic.shared(id) {
                // Which fault its use is depends on the kind.
                None => {
                    let stack = matches!(id.name(), ObjectName::Stack { .. });
                    self.plain(&[if stack { GONE_STACK } else { GONE_HEAP }])
                }
                Some(now) => {
                    alive += 1;
                    let reused = base
                        .filter(|(other, _)| {
                            other.memory.dynamic.shared(id).is_some_and(|before| before.same(now))
                        })
                        .and_then(|(_, known)| {
                            let at = known.objects.get(next).filter(|(other, _)| *other == id);
                            at.or_else(|| known.objects.iter().find(|(other, _)| *other == id))
                        });
                    match reused {
                        Some((_, known)) => self.renamed(known),
                        None => {
                            let heap = matches!(id.name(), ObjectName::Heap { .. });
                            self.fresh(state, |e| {
                                e.out.push(if heap { HEAP } else { STACK });
                                e.object(now);
                            })
                        }
                    }
                }
            };
            next += 1;
            vector.push(known.number);
            into.objects.push((id, known));
        }
        if self.options.leaks && alive < state.memory.dynamic.len() {
            let names = std::mem::take(&mut self.names);
            let lost = self.fresh_with(state, names, |e| {
                e.out.push(LOST);
                e.lost_objects(alive);
            });
            vector.push(lost.number);
        }
    }

    /// Without renaming: all objects, by their names.
    fn all(&mut self, state: &State, vector: &mut Vec<u32>) {
        let mut all: Vec<(ObjectId, &Object)> = state.memory.dynamic.iter().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        for (id, object) in all {
            let known = self.fresh(state, |e| {
                e.out.push(RAW);
                e.out.extend(id.0.to_le_bytes());
                e.object(object);
            });
            vector.push(known.number);
        }
    }

    /// A hash of a thread's bytes, without the names of objects that it points to.
    pub fn content(&mut self, thread: &Thread) -> u64 {
        let memory = Memory::new(self.machine.program.data_model);
        let state = State { threads: Vec::new(), memory, section: None, atomic: None, running: 0, end: None };
        let mut bytes = Vec::new();
        let mut links = Vec::new();
        let mut encoder = Encoder {
            machine: self.machine,
            state: &state,
            memory: &state.memory,
            options: &self.options,
            rename: self.options.rename,
            out: &mut bytes,
            names: FxHashMap::default(),
            found: Vec::new(),
            links: self.options.rename.then_some(&mut links),
            part: true,
        };
        encoder.thread(thread);
        let mut hasher = rustc_hash::FxHasher::default();
        std::hash::Hasher::write(&mut hasher, &bytes);
        std::hash::Hasher::finish(&hasher)
    }

    /// The owners of sections, how the run ended, what malloc may hand out again, and which threads there are: this
    /// number determines which thread is at which place.
    fn rest(&mut self, state: &State) -> Known {
        self.fresh(state, |e| {
            e.number(state.threads.len() as u64);
            in_order(state).into_iter().for_each(|i| e.number(state.threads[i].number as u64));
            e.owner(state.section);
            e.owner(state.atomic.map(|(owner, _)| owner));
            e.number(state.atomic.map_or(0, |(_, depth)| depth as u64));
            e.end(state.end.as_ref());
            e.freed_blocks();
        })
    }

    fn fresh(&mut self, state: &State, encode: impl FnOnce(&mut Encoder)) -> Known {
        self.fresh_with(state, FxHashMap::default(), encode)
    }

    fn fresh_with(
        &mut self,
        state: &State,
        names: FxHashMap<ObjectId, u32>,
        encode: impl FnOnce(&mut Encoder),
    ) -> Known {
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut links = Vec::new();
        bytes.clear();
        bytes.push(PLAIN);
        let mut encoder = Encoder {
            machine: self.machine,
            state,
            memory: &state.memory,
            options: &self.options,
            rename: self.options.rename,
            out: &mut bytes,
            names,
            found: Vec::new(),
            links: self.options.rename.then_some(&mut links),
            part: true,
        };
        encode(&mut encoder);
        let number = self.dictionary.number(&bytes);
        self.bytes = bytes;
        self.named(number, links)
    }

    fn plain(&mut self, content: &[u8]) -> Known {
        self.bytes.clear();
        self.bytes.push(PLAIN);
        self.bytes.extend(content);
        plain(self.dictionary.number(&self.bytes))
    }

    /// A component that has not changed; what it points to may have another name now.
    fn renamed(&mut self, known: &Known) -> Known {
        let mut same = true;
        for (link, name) in known.links.iter().zip(&known.names) {
            same &= self.name(*link) == *name;
        }
        if same { known.clone() } else { self.named(known.bytes, known.links.clone()) }
    }

    fn named(&mut self, bytes: u32, links: Vec<ObjectId>) -> Known {
        if links.is_empty() {
            return plain(bytes);
        }
        let names: Vec<u32> = links.iter().map(|link| self.name(*link)).collect();
        let mut linked = std::mem::take(&mut self.linked);
        linked.clear();
        linked.push(LINKED);
        linked.extend(bytes.to_le_bytes());
        names.iter().for_each(|name| linked.extend(name.to_le_bytes()));
        let number = self.dictionary.number(&linked);
        self.linked = linked;
        Rc::new(Facts { bytes, links, names, number })
    }

    fn name(&mut self, id: ObjectId) -> u32 {
        let next = self.found.len() as u32;
        let index = *self.names.entry(id).or_insert(next);
        if index == next {
            self.found.push(id);
        }
        index << 1 | matches!(id.name(), ObjectName::Heap { .. }) as u32
    }
}

/// Threads by number.
fn in_order(state: &State) -> Vec<usize> {
    let mut order: Vec<usize> = (0..state.threads.len()).collect();
    if !state.threads.is_sorted_by_key(|t| t.number) {
        order.sort_unstable_by_key(|i| state.threads[*i].number);
    }
    order
}
