//! Transition cache for steps that create threads and objects.
//!
//! Where `main` starts its threads one after the other, those that run already pass through many states, and in each
//! of them `main` creates the next one. Such a step creates a thread and its block, so the vector gets longer,
//! objects get other names, and components that link to them other numbers: `store/transition_cache.rs` cannot keep it as
//! a list of changed places. It is kept as a list of what is new, and of the renaming of the old names.
//!
//! Names are given by discovery: first by the links of the *roots*, which are the globals and the threads in their
//! order, then by those of the objects. Say that a state is *shallow* when its roots alone discover all of its
//! objects, and that its rest links to none. A step is kept when
//! 1. its state and the state after it are shallow;
//! 2. no thread is new, or one, with the greatest number;
//! 3. each old root discovers the same old objects as before, in the same order, whatever new ones come between.
//!
//! With it is kept, for each old root that discovers new objects, how many objects the roots before it had discovered.
//! The step is taken in a state that is shallow, that is as long, that has the same numbers where the step read, and
//! where as many objects were discovered before each of those roots. Why the outcome is the same:
//!
//! The step does the same, by the argument in `store/transition_cache.rs`. Behind it, the old roots discover the old
//! objects in the order in which they did before: roots that were not read are as they were, the others discover
//! alike by 3. Since the state is shallow, these are all old objects. New objects are discovered by roots that were
//! read. Which old objects such a root is the first to discover follows from its number (its links by name) and from
//! how many were discovered before it; so between which old ones the new ones come is the same as when the step was
//! kept, and so is the new name of each old name. The new thread comes behind all old roots: the old objects have
//! their names by then, and there are as many of them. Nothing is left for the links of objects to discover: links of
//! objects that were not read go to old ones, and new ones are all discovered by roots that were read or are new
//! (by 1). So what was read or is new has the same bytes and the same names in its links as when the step was kept,
//! hence the same number. What was not read has the bytes that it had, and the new names of its links.
//!
//! A step that removes links of a root is not kept so: whether others link there is not known.

use std::cell::RefCell;
use std::rc::Rc;

use raddle_machine::ObjectId;
use raddle_machine::components::{Components, discovers_alike};
use rustc_hash::FxHashMap;

use crate::store::transitions::ByNumber;

/// How a vector becomes longer.
#[derive(Debug)]
pub struct AllocationEffect {
    /// Old places that were read, and the numbers there.
    read: Box<[(u32, u32)]>,
    /// Where the threads end.
    behind: u32,
    thread: Option<u32>,
    /// The new objects, by name, which is their place behind the threads.
    objects: Box<[(u32, u32)]>,
    names: Rc<Names>,
    /// Roots that discover new objects, by place, and how many objects were discovered before them.
    before: Box<[(u32, u32)]>,
}

/// The new names of old objects, by the old ones; and the numbers of components whose links were renamed so.
#[derive(Debug, Default)]
pub struct Names {
    new: Vec<u32>,
    renamed: RefCell<ByNumber<u32>>,
}

impl Names {
    fn stay(&self) -> bool {
        self.new.iter().enumerate().all(|(old, new)| old == *new as usize)
    }
}

/// All renamings that occurred.
#[derive(Default)]
pub struct Renamings(FxHashMap<Vec<u32>, Rc<Names>>);

impl Renamings {
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(new, names)| 8 * new.len() + 64 + names.renamed.borrow().bytes()).sum()
    }
}

/// A vector and its components.
pub struct Side<'a> {
    pub vector: &'a [u32],
    pub parts: &'a Components,
}

impl AllocationEffect {
    /// What a step did, if it can be kept, given that the states before and after it are shallow. `behind`: where the
    /// threads ended; `grown`: there is one more, with the greatest number; `read`: the places that the step read,
    /// its own thread among them.
    pub fn between(
        before: &Side,
        after: &Side,
        behind: usize,
        grown: bool,
        read: &[u32],
        renamings: &mut Renamings,
    ) -> Option<AllocationEffect> {
        let old: Vec<ObjectId> = before.parts.found().collect();
        let found: Vec<ObjectId> = after.parts.found().collect();
        let behind_after = behind + grown as usize;
        // Something else may follow the objects.
        if behind + old.len() != before.vector.len() || behind_after + found.len() != after.vector.len() {
            return None;
        }
        let new: Option<Vec<u32>> =
            old.iter().map(|id| found.iter().position(|f| f == id).map(|at| at as u32)).collect();
        let new = new.filter(|new| new.is_sorted())?;
        if after.parts.roots().count() != behind_after - 1 || before.parts.roots().count() != behind - 1 {
            return None;
        }
        let mut discovered: Vec<ObjectId> = Vec::new();
        let mut counts = Vec::new();
        for (i, (links, links_after)) in before.parts.roots().zip(after.parts.roots()).enumerate() {
            let kept: Vec<ObjectId> = links_after.iter().filter(|id| old.contains(id)).copied().collect();
            if !discovers_alike(links, &kept) {
                return None;
            }
            if kept.len() < links_after.len() {
                counts.push((1 + i as u32, discovered.len() as u32));
            }
            for id in links {
                if !discovered.contains(id) {
                    discovered.push(*id);
                }
            }
        }
        let place_after = |place: usize| match place.checked_sub(behind) {
            None => place,
            Some(name) => behind_after + new[name] as usize,
        };
        let is_new = |name: &u32| !new.contains(name);
        let growth = AllocationEffect {
            read: read.iter().map(|p| (*p, after.vector[place_after(*p as usize)])).collect(),
            behind: behind as u32,
            thread: grown.then(|| after.vector[behind]),
            objects: (0..found.len() as u32)
                .filter(is_new)
                .map(|name| (name, after.vector[behind_after + name as usize]))
                .collect(),
            before: counts.into(),
            names: renamings
                .0
                .entry(new.clone())
                .or_insert_with_key(|new| Rc::new(Names { new: new.clone(), ..Names::default() }))
                .clone(),
        };
        // Only what was read may have new bytes, and only such roots discover something new.
        let known = |place: u32| read.contains(&place);
        let same = |place: usize| {
            let alike = before.parts.bytes_of(place) == after.parts.bytes_of(place_after(place));
            known(place as u32) || alike
        };
        ((1..before.vector.len()).all(same) && growth.before.iter().all(|(place, _)| known(*place)))
            .then_some(growth)
    }

    /// Makes it ready for a vector, to which it may then be applied. `rename`: the number of a component whose links
    /// have these new names.
    pub fn prepare(&self, vector: &[u32], mut rename: impl FnMut(u32, &[u32]) -> u32) {
        if self.names.stay() {
            return;
        }
        let mut renamed = self.names.renamed.borrow_mut();
        for number in &vector[1..] {
            if renamed.get(*number).is_none() {
                *renamed.entry(*number) = Some(rename(*number, &self.names.new));
            }
        }
    }

    pub fn apply(&self, vector: &mut Vec<u32>) {
        let behind = self.behind as usize;
        let behind_after = behind + self.thread.is_some() as usize;
        let mut whole = vec![0; behind_after + vector.len() - behind + self.objects.len()];
        let renamed = self.names.renamed.borrow();
        let place_after = |place: usize| match place.checked_sub(behind) {
            None => place,
            Some(name) => behind_after + self.names.new[name] as usize,
        };
        let stay = self.names.stay();
        for (place, number) in vector.iter().enumerate().skip(1) {
            let number =
                if stay { number } else { renamed.get(*number).expect("the step was prepared for it") };
            whole[place_after(place)] = *number;
        }
        for (place, number) in &self.read {
            whole[place_after(*place as usize)] = *number;
        }
        if let Some(thread) = self.thread {
            whole[behind] = thread;
        }
        for (name, number) in &self.objects {
            whole[behind_after + *name as usize] = *number;
        }
        *vector = whole;
    }

    pub fn bytes(&self) -> usize {
        size_of::<AllocationEffect>() + 8 * (self.read.len() + self.objects.len() + self.before.len())
    }

    pub fn before(&self) -> &[(u32, u32)] {
        &self.before
    }
}

/// By component: one more than the greatest name among its links, or 0.
#[derive(Default)]
pub struct Reaches(ByNumber<u32>);

impl Reaches {
    /// Whether a vector is shallow; and the roots before each of some places, in their order, discover as many
    /// objects as is given there. `objects`: where they begin. `look`: computes this for a component at its first
    /// use.
    pub fn is_shallow(
        &mut self,
        vector: &[u32],
        objects: usize,
        before: &[(u32, u32)],
        mut look: impl FnMut(u32) -> u32,
    ) -> bool {
        let mut reach = |number: u32| match self.0.get(number) {
            Some(reach) => *reach,
            None => *self.0.entry(number).insert(look(number)),
        };
        if objects > vector.len() || reach(vector[0]) != 0 {
            return false;
        }
        // Names are given one after the other, so the greatest gives their number.
        let (mut discovered, mut asked) = (0, before.iter());
        let mut next = asked.next();
        for (place, number) in vector.iter().enumerate().take(objects).skip(1) {
            if let Some((root, count)) = next
                && *root as usize == place
            {
                if *count != discovered {
                    return false;
                }
                next = asked.next();
            }
            discovered = discovered.max(reach(*number));
        }
        discovered as usize == vector.len() - objects
    }

    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
