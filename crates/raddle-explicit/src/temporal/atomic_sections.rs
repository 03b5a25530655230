//! Transitions of a thread between two observed states, for properties of infinite runs.
//!
//! Runs are observed between operations, not inside an atomic section, nor in the middle of a kernel section that waits
//! for a choice. So a transition is a step and, if it enters a section, all steps up to its end; every path through
//! the section is an edge of its own. A section that is never left has no end to observe: such a loop is reported,
//! and the edge is missing. Where the thread inside cannot continue, its run ends there, and that state is observed.
//!
//! A thread has a *fairness obligation* (`obliged`) where it is enabled; a spurious wake-up is no obligation, a time-out
//! always comes.
//!
//! A run in which an assumption failed is none: the edge is missing. It is also missing where the machine cannot
//! continue, but that is reported.
//!
//! The footprint of a transition is that of all its steps, on all paths. Steps behind one after which objects have
//! other names cannot be compared with those of other threads: such a section depends on everything, as does one in
//! which the thread may rest. So does a transition some of whose paths are not explored, since a choice has too many
//! answers.

use std::rc::Rc;

use raddle_machine::drive::Move;
use raddle_machine::{ChoiceKind, CodePoint, Effects, Escape, Footprint, Readiness, RunEnd, Status, Touch};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::search::input_values::{Answers, Choosing};
use crate::store::transition_cache::Step;
use crate::store::transitions::{Exposed, Space};

/// Steps inside one section, all paths together, before it is given up.
const MOST_INSIDE: usize = 100_000;

/// One path from an observed state to the next.
#[derive(Clone, Debug)]
pub struct Edge {
    pub vector: Vec<u32>,
    pub moves: Vec<Move>,
    /// The number of the thread that stepped.
    pub thread: u32,
    /// It passed a mark of progress.
    pub progress: bool,
    /// A weak compare-exchange whose comparison held.
    pub weak: Option<WeakExchange>,
}

/// The outcome of a weak compare-exchange that could have succeeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeakExchange {
    pub user: CodePoint,
    /// It failed all the same.
    pub spurious: bool,
}

/// The next transition of a thread at an observed state.
#[derive(Default)]
pub struct Transition {
    /// All paths to the next observed state.
    pub edges: Vec<Edge>,
    /// It is enabled, and not by a spurious wake-up alone.
    pub obliged: bool,
    /// It is enabled, and the outcome is not a choice.
    pub sure: bool,
    /// The step, if there is only one; disabled or not.
    pub only: Option<Rc<Step>>,
    /// What the steps touch and do, if there are more. With `RUN_END` also if it depends on everything.
    together: Footprint,
    /// Objects may have other names after it.
    pub renames: bool,
}

impl Transition {
    pub fn footprint(&self) -> &Footprint {
        self.only.as_ref().map_or(&self.together, |step| &step.footprint)
    }
}

/// Why the absence of a run is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    Unsupported {
        reason: String,
        user: CodePoint,
    },
    MemoryFault(CodePoint),
    WideChoice {
        user: CodePoint,
        last: u64,
    },
    /// Of a choice with too many answers, only some were explored.
    SampledChoice {
        user: CodePoint,
        last: u64,
    },
    /// A section that may never be left, or with too many paths through it.
    EndlessSection(CodePoint),
}

/// Whether a run can continue from a state that a step led to, and be observed there.
enum Landing {
    Observed,
    /// In a section; the place of its thread.
    Inside(usize),
    /// No run, or one that cannot be explored.
    Nowhere,
}

/// The steps of a transition.
#[derive(Default)]
struct Seen {
    steps: Vec<Rc<Step>>,
    /// It depends on everything.
    on_all: bool,
}

/// The next transition of a running thread that no other thread's section blocks.
pub fn transition(
    space: &mut Space,
    vector: &[u32],
    index: usize,
    choices: Choosing,
    gaps: &mut Vec<Gap>,
) -> Result<Transition, Exposed> {
    let number = space.thread(vector, index).number;
    let mut seen = Seen::default();
    let first = steps(space, vector, index, choices, gaps, &mut seen)?;
    let mut result = Transition { obliged: first.obliged, ..Transition::default() };
    let weak = weak_exchange(space, vector, index, &first);
    for after in first.after {
        let one = Move { thread: number, choice: after.choice };
        let spurious = after.choice == Some(1);
        let known = result.edges.len();
        ways_out(space, after, one, choices, &mut result.edges, gaps, &mut seen)?;
        for edge in &mut result.edges[known..] {
            edge.weak = weak.map(|user| WeakExchange { user, spurious });
        }
    }
    for edge in &result.edges {
        // It blocks all others.
        let rest = space.rest(&edge.vector);
        seen.on_all |= rest.section != 0 || rest.atomic != 0;
    }
    result.renames = seen.steps.iter().any(|step| step.renames);
    match &seen.steps[..] {
        [only] if !seen.on_all => result.only = Some(only.clone()),
        _ => result.together = together(&seen),
    }
    let chosen = Effects(Effects::CHOICE.0 | Effects::ESCAPE.0 | Effects::ASSUME.0 | Effects::BLOCKED.0);
    result.sure = result.edges.len() == 1 && !result.footprint().effects.has(chosen);
    Ok(result)
}

/// The weak compare-exchange that the thread is about to make, if its comparison holds: where it does not, a spurious
/// failure leads to the same state as the other answer.
fn weak_exchange(space: &mut Space, vector: &[u32], index: usize, steps: &Steps) -> Option<CodePoint> {
    let thread = space.thread(vector, index);
    let pending = thread.pending.filter(|request| request.kind == ChoiceKind::SpuriousFailure);
    match &steps.after[..] {
        [holds, fails] if pending.is_some() && holds.vector != fails.vector => Some(thread.user),
        _ => None,
    }
}

fn together(seen: &Seen) -> Footprint {
    let mut all = Footprint::default();
    let mut touches: FxHashSet<Touch> = FxHashSet::default();
    for step in &seen.steps {
        let one = &step.footprint;
        all.touches.extend(one.touches.iter().copied().filter(|touch| touches.insert(*touch)));
        all.effects.add(one.effects);
        all.queried_ends.extend(
            one.queried_ends.iter().copied().filter(|a| !all.queried_ends.contains(a)).collect::<Vec<_>>(),
        );
        all.holders_queried |= one.holders_queried;
        all.absent |= one.absent;
    }
    if seen.on_all {
        all.effects.add(Effects::RUN_END);
    }
    all
}

/// The steps that a thread can take.
struct Steps {
    obliged: bool,
    /// It can step, but without an obligation.
    optional: bool,
    after: Vec<After>,
}

/// What one step leads to.
struct After {
    choice: Option<u64>,
    vector: Vec<u32>,
    progress: bool,
    /// Objects may have other names there.
    renames: bool,
}

fn steps(
    space: &mut Space,
    vector: &[u32],
    index: usize,
    choices: Choosing,
    gaps: &mut Vec<Gap>,
    seen: &mut Seen,
) -> Result<Steps, Exposed> {
    let thread = space.thread(vector, index);
    let mut result = Steps { obliged: true, optional: false, after: Vec::new() };
    let answers = match thread.pending {
        None => vec![None],
        Some(request) => {
            let (user, last) = (thread.user, request.last);
            let answers = match choices.answers(request, user, &vec![(0, last)]) {
                Answers::All(answers) => answers,
                Answers::Some(answers) => {
                    seen.on_all = true;
                    add(gaps, Gap::SampledChoice { user, last });
                    answers
                }
                Answers::Wide => {
                    seen.on_all = true;
                    add(gaps, Gap::WideChoice { user, last });
                    return Ok(result);
                }
            };
            answers.into_iter().map(Some).collect()
        }
    };
    for choice in answers {
        let step = space.step(vector, index, choice, false)?;
        seen.steps.push(step.clone());
        match step.readiness {
            Readiness::Enabled | Readiness::Escape(Escape::Timeout, _) => {}
            Readiness::Escape(Escape::Spurious, _) => (result.obliged, result.optional) = (false, true),
            _ => return Ok(Steps { obliged: false, optional: false, after: Vec::new() }),
        }
        if let Some((reason, user)) = &step.unsupported {
            add(gaps, Gap::Unsupported { reason: reason.clone(), user: *user });
        }
        for fault in &step.faults {
            if matches!(fault.kind, raddle_machine::FaultKind::Memory(_)) {
                add(gaps, Gap::MemoryFault(fault.user));
            }
        }
        let mut after = vector.to_vec();
        step.apply(&mut after);
        let progress = step.footprint.effects.has(Effects::PROGRESS);
        result.after.push(After { choice, vector: after, progress, renames: step.renames });
    }
    Ok(result)
}

fn add(gaps: &mut Vec<Gap>, gap: Gap) {
    if !gaps.contains(&gap) {
        gaps.push(gap);
    }
}

fn landing(space: &mut Space, vector: &[u32]) -> Landing {
    let rest = space.rest(vector);
    if rest.ended && !matches!(space.state(vector).end(), Some(RunEnd::Assertion)) {
        return Landing::Nowhere;
    }
    let mut owner = None;
    for index in 0..rest.threads {
        let thread = space.thread(vector, index);
        if thread.status == Status::Assumed {
            return Landing::Nowhere;
        }
        let holds = if rest.section != 0 { rest.section } else { rest.atomic };
        if holds != 0 && thread.number == holds && thread.status == Status::Running {
            owner = Some(index);
        }
    }
    match owner {
        Some(index) if !rest.ended => Landing::Inside(index),
        _ => Landing::Observed,
    }
}

/// A state inside a section.
struct Inside {
    vector: Vec<u32>,
    progress: bool,
    /// Where it was reached from, and by which move.
    from: Option<usize>,
    by: Move,
    /// The unexplored steps.
    untried: Vec<After>,
    open: bool,
}

/// Adds all paths from a step's end to the next observed state.
fn ways_out(
    space: &mut Space,
    after: After,
    first: Move,
    choices: Choosing,
    edges: &mut Vec<Edge>,
    gaps: &mut Vec<Gap>,
    seen: &mut Seen,
) -> Result<(), Exposed> {
    let owner = match landing(space, &after.vector) {
        Landing::Nowhere => return Ok(()),
        Landing::Observed => {
            let After { vector, progress, .. } = after;
            edges.push(Edge { vector, moves: vec![first], thread: first.thread, progress, weak: None });
            return Ok(());
        }
        Landing::Inside(owner) => owner,
    };
    let mut nodes: Vec<Inside> = Vec::new();
    let mut known: FxHashMap<(Vec<u32>, bool), usize> = FxHashMap::default();
    let mut leaves: FxHashMap<(Vec<u32>, bool), ()> = FxHashMap::default();
    let mut path: Vec<usize> = Vec::new();
    let mut entering = Some((after, None, first));
    loop {
        if let Some((After { vector, progress, renames, .. }, from, by)) = entering.take() {
            seen.on_all |= renames;
            if nodes.len() >= MOST_INSIDE {
                add(gaps, Gap::EndlessSection(space.thread(&vector, owner).user));
                return Ok(());
            }
            let found = steps(space, &vector, owner, choices, gaps, seen)?;
            let place = nodes.len();
            // It cannot continue, or need not: the run may rest here.
            let rests = !found.obliged;
            let untried = if found.optional { Vec::new() } else { found.after };
            known.insert((vector.clone(), progress), place);
            nodes.push(Inside { vector, progress, from, by, untried, open: true });
            if rests {
                leave(&nodes, place, first.thread, edges);
            }
            path.push(place);
        }
        let Some(place) = path.last().copied() else { return Ok(()) };
        let Some(mut next) = nodes[place].untried.pop() else {
            nodes[place].open = false;
            path.pop();
            continue;
        };
        next.progress |= nodes[place].progress;
        let by = Move { thread: first.thread, choice: next.choice };
        match landing(space, &next.vector) {
            Landing::Nowhere => {}
            Landing::Observed => {
                let After { vector, progress, .. } = next;
                if leaves.insert((vector.clone(), progress), ()).is_none() {
                    let moves = moves_to(&nodes, Some(place), by);
                    edges.push(Edge { vector, moves, thread: first.thread, progress, weak: None });
                }
            }
            Landing::Inside(_) => match known.get(&(next.vector.clone(), next.progress)) {
                Some(before) if nodes[*before].open => {
                    add(gaps, Gap::EndlessSection(space.thread(&next.vector, owner).user));
                }
                Some(_) => seen.on_all |= next.renames,
                None => entering = Some((next, Some(place), by)),
            },
        }
    }
}

fn leave(nodes: &[Inside], place: usize, thread: u32, edges: &mut Vec<Edge>) {
    let node = &nodes[place];
    let moves = moves_to(nodes, node.from, node.by);
    edges.push(Edge { vector: node.vector.clone(), moves, thread, progress: node.progress, weak: None });
}

fn moves_to(nodes: &[Inside], mut from: Option<usize>, last: Move) -> Vec<Move> {
    let mut moves = vec![last];
    while let Some(place) = from {
        moves.push(nodes[place].by);
        from = nodes[place].from;
    }
    moves.reverse();
    moves
}
