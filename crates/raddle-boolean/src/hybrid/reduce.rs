//! Partial order reductions (ample sets, persistent sets, cartesian partial order reduction): which threads take a
//! step at a location.
//!
//! What must be preserved is that some thread does something that is judged: its assertion fails, it is at the error
//! label, its thread start is refused, its stack is full. All of these are like a step *f* of one thread, which reads
//! what the assertion reads, how many threads run, or nothing. So a reduction is sound if from every state from which
//! some run *w* ends in such an *f*, the reduced search takes a step (or parts the threads) such that a run to an *f*
//! remains, and if that cannot go on for ever without ending. Steps that touch nothing in common (see `footprints.rs`)
//! can be exchanged. Which reduction applies depends on the state alone, so that it does not matter how a state was
//! reached first. Inside an atomic section there is nothing to reduce: one thread moves. All that follows is about
//! states in which no thread is inside one.
//!
//! **Ample** (thesis §6.2): a thread *t* whose next step touches nothing that any other thread ever touches (readers
//! aside) moves alone, in those states in which it can move. If *w* has a step of *t*, its first one can come first:
//! the run that remains is shorter. If it has none, any step of *t* leaves *w* as it is: so *t* must have one in that
//! very state, and states in which *t* is blocked are left for others. *w* is then not shorter; but this must end,
//! because such steps never close a loop of control, and start a thread only where the text bounds how many there are,
//! and so only finitely many follow each other (the cycle proviso). A thread more does not keep *w* from happening
//! where no start can be refused. The beginning of an atomic section counts as a step only if the section is surely
//! left: otherwise *t* could stop all, and *w* would be lost. Its footprint is that of the section.
//!
//! **Persistent** (thesis §6.3): threads are parted into classes that never touch anything in common. The steps of
//! *f*'s class in *w*, alone, are a run to *f*: no other class influences them, and a section of another class that
//! *w* has entered has been left before *f*'s thread goes on. So each class is explored for itself, the threads of the
//! others *frozen*: they run, they take no step, and their data are dropped. A class in which nothing is ever judged
//! is not explored at all. There is no cycle proviso: nothing is postponed.
//!
//! **Cartesian** (thesis §6.4; Gueta, Flanagan, Yahav and Sagiv 2007): each thread *t* has a *region* of places such
//! that no step from a place in it conflicts with a step of another thread from a place in its region or just behind
//! it. A thread that has begun to move goes on alone until it has taken a step from a place outside of its region (its
//! *last* step). In *w*, let *t* be the thread that takes its last step first; until then all others take steps in
//! their regions only, which conflict with none of *t*'s. So *t*'s can all come first, and what remains of *w* is
//! shorter. If *w* ends before any thread takes a last step, *f* is in a region or a last step, and *f*'s thread alone
//! reaches it. Loops may lie in a region: what counts is the finite *w*. The beginning of an atomic section is always
//! a last step, with the footprint of the section: whatever becomes of the section, its thread reaches it alone.
//! Thread starts and ends are last steps, too.
//!
//! They combine: first classes, then ample steps in the class, then regions for the rest; each keeps a run that is
//! shorter, or the same with fewer threads, or the same nearer to the end of a chain of ample steps.
//!
//! None of them keeps the set of thread states: what is reached is less than what can be.

use super::effects::{self, Change};
use super::location::{Location, Spot};
use crate::control::{Control, Controls};
use crate::footprints::{Footprint, Footprints};
use crate::partial_order::PartialOrder;
use raddle_bp::flow::Operation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Places in the regions of one location, at most.
const MOST_PLACES: usize = 4000;

/// The reductions of a search, and what they have worked out.
pub(super) struct Reductions {
    pub order: PartialOrder,
    footprints: Footprints,
    next: FxHashMap<Control, Rc<Footprint>>,
    future: FxHashMap<Control, Rc<Footprint>>,
    regions: Vec<FxHashSet<Control>>,
    numbers: FxHashMap<Vec<Control>, u32>,
    /// The regions of threads, by where the threads are.
    chosen: FxHashMap<Vec<Option<Spot>>, Rc<Vec<Option<u32>>>>,
}

impl Reductions {
    pub(super) fn new(order: PartialOrder, footprints: Footprints) -> Reductions {
        Reductions {
            order,
            footprints,
            next: FxHashMap::default(),
            future: FxHashMap::default(),
            regions: Vec::new(),
            numbers: FxHashMap::default(),
            chosen: FxHashMap::default(),
        }
    }

    pub(super) fn in_region(&self, region: u32, control: Control) -> bool {
        self.regions[region as usize].contains(&control)
    }

    fn next(&mut self, controls: &Controls<'_>, control: Control) -> Rc<Footprint> {
        let footprints = &self.footprints;
        self.next.entry(control).or_insert_with(|| Rc::new(footprints.next(controls, control))).clone()
    }

    fn future(&mut self, controls: &Controls<'_>, control: Control) -> Rc<Footprint> {
        let footprints = &self.footprints;
        self.future.entry(control).or_insert_with(|| Rc::new(footprints.future(controls, control))).clone()
    }

    /// The classes of threads that have nothing to do with each other, if there is more than one; those in which
    /// nothing is ever judged are left out.
    pub(super) fn classes(
        &mut self,
        controls: &Controls<'_>,
        location: &Location,
    ) -> Option<Vec<Vec<usize>>> {
        let active: Vec<(usize, Rc<Footprint>)> =
            location.active().map(|(thread, control)| (thread, self.future(controls, control))).collect();
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for (place, (_, future)) in active.iter().enumerate() {
            let conflicts = |class: &Vec<usize>| class.iter().any(|other| active[*other].1.conflicts(future));
            let (joined, apart): (Vec<_>, Vec<_>) = classes.into_iter().partition(conflicts);
            classes = apart;
            classes.push(joined.into_iter().flatten().chain([place]).collect());
        }
        let parts = classes.len();
        classes.retain(|class| class.iter().any(|place| active[*place].1.judged));
        if parts == 1 && classes.len() == 1 {
            return None;
        }
        classes.sort();
        let named = |class: Vec<usize>| class.into_iter().map(|place| active[place].0).collect();
        Some(classes.into_iter().map(named).collect())
    }

    /// Whether the next step of a thread may be taken alone, where the thread can take it.
    pub(super) fn is_ample(
        &mut self,
        controls: &mut Controls<'_>,
        location: &Location,
        thread: usize,
    ) -> bool {
        let control = location.control(thread).expect("an active thread");
        match &controls.node(control).operation {
            Operation::StartThread(_) if self.footprints.can_be_refused() => return false,
            Operation::AtomicBegin if !self.footprints.surely_left(controls, control) => return false,
            Operation::Call { procedure, .. } if controls.call(control, *procedure).is_none() => {
                return false;
            }
            _ => {}
        }
        if self.footprints.closes_loop(controls, control) {
            return false;
        }
        let next = self.next(controls, control);
        location
            .active()
            .all(|(other, control)| other == thread || !next.conflicts(&self.future(controls, control)))
    }

    /// For each thread the number of its region; none if the place where it is lies outside.
    pub(super) fn regions(
        &mut self,
        controls: &mut Controls<'_>,
        location: &Location,
    ) -> Rc<Vec<Option<u32>>> {
        if let Some(known) = self.chosen.get(&location.threads) {
            return known.clone();
        }
        let mut growing: Vec<Growing> = Vec::new();
        for (thread, control) in location.active() {
            let just_behind = Footprint::clone(&self.next(controls, control));
            let edge = vec![control];
            growing.push(Growing {
                thread,
                inside: FxHashSet::default(),
                edge,
                within: Footprint::default(),
                just_behind,
            });
        }
        let mut places = 0;
        let mut changed = true;
        while changed && places < MOST_PLACES {
            changed = false;
            for index in 0..growing.len() {
                for control in growing[index].edge.clone() {
                    if self.grow(controls, location, &mut growing, index, control) {
                        changed = true;
                        places += 1;
                    }
                }
            }
        }
        let mut regions = vec![None; location.threads.len()];
        for Growing { thread, inside, .. } in growing {
            if !inside.is_empty() {
                regions[thread] = Some(self.number(inside));
            }
        }
        let regions = Rc::new(regions);
        self.chosen.insert(location.threads.clone(), regions.clone());
        regions
    }

    fn number(&mut self, inside: FxHashSet<Control>) -> u32 {
        let mut listed: Vec<Control> = inside.iter().copied().collect();
        listed.sort_unstable();
        let regions = &mut self.regions;
        *self.numbers.entry(listed).or_insert_with(|| {
            regions.push(inside);
            regions.len() as u32 - 1
        })
    }

    /// Takes a place at the edge of a region into it, if what the others do there allows.
    fn grow(
        &mut self,
        controls: &mut Controls<'_>,
        location: &Location,
        growing: &mut [Growing],
        index: usize,
        control: Control,
    ) -> bool {
        let node = controls.node(control);
        let ends = matches!(node.operation, Operation::Return(_)) && controls.caller(control).is_none();
        if ends
            || matches!(
                node.operation,
                Operation::StartThread(_) | Operation::EndThread | Operation::AtomicBegin
            )
        {
            return false;
        }
        let others =
            || growing.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
        let step = self.next(controls, control);
        if others().any(|other| step.conflicts(&other.within) || step.conflicts(&other.just_behind)) {
            return false;
        }
        let mut behind = Vec::new();
        for successor in 0..node.next.len().max(1) {
            let mut here = location.clone();
            here.threads[growing[index].thread] = Some(Spot::At(control));
            let Change::Moved { location: after, .. } =
                effects::target(controls, &here, growing[index].thread, successor, usize::MAX)
            else {
                return false;
            };
            behind.extend(after.control(growing[index].thread));
        }
        let mut more = Footprint::default();
        behind.iter().for_each(|control| more.extend(&self.next(controls, *control)));
        if others().any(|other| more.conflicts(&other.within)) {
            return false;
        }
        let region = &mut growing[index];
        region.inside.insert(control);
        region.edge.retain(|other| *other != control);
        for control in behind {
            if !region.inside.contains(&control) && !region.edge.contains(&control) {
                region.edge.push(control);
            }
        }
        region.within.extend(&step);
        region.just_behind.extend(&more);
        true
    }
}

/// The region of a thread while it grows.
struct Growing {
    thread: usize,
    inside: FxHashSet<Control>,
    /// The places just behind it.
    edge: Vec<Control>,
    /// What steps in it touch.
    within: Footprint,
    /// What last steps touch; perhaps more than that.
    just_behind: Footprint,
}
