//! The edges of the graph of observed states, for properties of infinite runs.
//!
//! Runs are observed between operations, not inside an atomic section, nor in the middle of a kernel section that waits
//! for a choice. So an edge is a step and, if it enters a section, all steps up to its end; every way through the section
//! is an edge of its own. A section that is never left has no end to observe: such a loop is reported, and the edge is
//! missing. Where the thread inside cannot go on, its run ends there, and that state is observed.
//!
//! A thread is *owed* a step where it is enabled; a spurious wake-up is never owed, a time-out always comes. A thread whose
//! local computation never ends goes on by itself: it has an edge from each state to itself, and is owed nothing, since
//! its steps can be thought between any others.
//!
//! The end of the process ends the run: its last state has no edges. A run in which an assumption failed is none: the edge
//! is missing. So it is where the machine cannot go on, but that is reported.

use raddle_machine::drive::Move;
use raddle_machine::{CodePoint, Effects, Escape, Readiness, RunEnd, Status};
use rustc_hash::FxHashMap;

use crate::answers::{Answers, Choosing};
use crate::space::{Exposed, Space};

/// Steps inside one section, all ways together, before it is given up.
const MOST_INSIDE: usize = 100_000;

/// One way from an observed state to the next.
#[derive(Clone, Debug)]
pub struct Edge {
    pub vector: Vec<u32>,
    pub moves: Vec<Move>,
    /// The number of the thread that stepped.
    pub thread: u32,
    /// It passed a mark of progress.
    pub progress: bool,
}

/// What lies behind a state.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    pub edges: Vec<Edge>,
    /// Threads that are owed a step, by number.
    pub owed: Vec<u32>,
    /// Threads that loop by themselves for ever.
    pub diverged: Vec<u32>,
    /// Nobody is owed anything: the run may end here.
    pub may_end: bool,
}

/// What keeps the absence of a run from being a proof.
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
    /// Of a choice with too many answers, only some were followed.
    SampledChoice {
        user: CodePoint,
        last: u64,
    },
    /// A section that may never be left, or with too many ways through it.
    EndlessSection(CodePoint),
}

/// Whether a run can go on from a state that a step led to, and be observed there.
enum Landing {
    Observed,
    /// In a section; the place of its thread.
    Inside(usize),
    /// No run, or one that cannot be followed.
    Nowhere,
}

/// Looks at an observed state.
pub fn outlook(
    space: &mut Space,
    vector: &[u32],
    choices: Choosing,
    gaps: &mut Vec<Gap>,
) -> Result<Outlook, Exposed> {
    let mut result = Outlook::default();
    let rest = space.rest(vector);
    let threads: Vec<_> = (0..rest.threads).map(|i| space.thread(vector, i)).collect();
    if rest.ended || threads.iter().any(|t| matches!(t.status, Status::Stopped { .. })) {
        result.may_end = true;
        return Ok(result);
    }
    let owner = if rest.section != 0 { rest.section } else { rest.atomic };
    for (index, thread) in threads.iter().enumerate() {
        match thread.status {
            Status::Diverged => result.diverged.push(thread.number),
            Status::Running if owner == 0 || owner == thread.number => {
                let first = steps(space, vector, index, choices, gaps)?;
                if first.owed {
                    result.owed.push(thread.number);
                }
                for (choice, after, progress) in first.after {
                    let one = Move { thread: thread.number, choice };
                    ways_out(space, after, one, progress, choices, &mut result.edges, gaps)?;
                }
            }
            _ => {}
        }
    }
    result.may_end = result.owed.is_empty() && result.diverged.is_empty();
    Ok(result)
}

/// The steps that a thread can take.
struct Steps {
    owed: bool,
    /// It can step, but nobody says that it ever will.
    optional: bool,
    after: Vec<(Option<u64>, Vec<u32>, bool)>,
}

fn steps(
    space: &mut Space,
    vector: &[u32],
    index: usize,
    choices: Choosing,
    gaps: &mut Vec<Gap>,
) -> Result<Steps, Exposed> {
    let thread = space.thread(vector, index);
    let mut result = Steps { owed: true, optional: false, after: Vec::new() };
    let answers = match thread.pending {
        None => vec![None],
        Some(request) => {
            let (user, last) = (thread.user, request.last);
            let answers = match choices.answers(request, user, &vec![(0, last)]) {
                Answers::All(answers) => answers,
                Answers::Some(answers) => {
                    add(gaps, Gap::SampledChoice { user, last });
                    answers
                }
                Answers::Wide => {
                    add(gaps, Gap::WideChoice { user, last });
                    return Ok(result);
                }
            };
            answers.into_iter().map(Some).collect()
        }
    };
    for choice in answers {
        let step = space.step(vector, index, choice, false)?;
        match step.readiness {
            Readiness::Enabled | Readiness::Escape(Escape::Timeout, _) => {}
            Readiness::Escape(Escape::Spurious, _) => (result.owed, result.optional) = (false, true),
            _ => return Ok(Steps { owed: false, optional: false, after: Vec::new() }),
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
        result.after.push((choice, after, step.footprint.effects.has(Effects::PROGRESS)));
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
    /// What is left to try.
    untried: Vec<(Option<u64>, Vec<u32>, bool)>,
    open: bool,
}

/// Adds all ways from a step's end to the next observed state.
fn ways_out(
    space: &mut Space,
    after: Vec<u32>,
    first: Move,
    progress: bool,
    choices: Choosing,
    edges: &mut Vec<Edge>,
    gaps: &mut Vec<Gap>,
) -> Result<(), Exposed> {
    let owner = match landing(space, &after) {
        Landing::Nowhere => return Ok(()),
        Landing::Observed => {
            edges.push(Edge { vector: after, moves: vec![first], thread: first.thread, progress });
            return Ok(());
        }
        Landing::Inside(owner) => owner,
    };
    let mut nodes: Vec<Inside> = Vec::new();
    let mut known: FxHashMap<(Vec<u32>, bool), usize> = FxHashMap::default();
    let mut leaves: FxHashMap<(Vec<u32>, bool), ()> = FxHashMap::default();
    let mut path: Vec<usize> = Vec::new();
    let mut entering = Some((after, progress, None, first));
    loop {
        if let Some((vector, progress, from, by)) = entering.take() {
            if nodes.len() >= MOST_INSIDE {
                add(gaps, Gap::EndlessSection(space.thread(&vector, owner).user));
                return Ok(());
            }
            let found = steps(space, &vector, owner, choices, gaps)?;
            let place = nodes.len();
            // It cannot go on, or need not: the run may rest here.
            let rests = !found.owed;
            let untried = if found.optional { Vec::new() } else { found.after };
            known.insert((vector.clone(), progress), place);
            nodes.push(Inside { vector, progress, from, by, untried, open: true });
            if rests {
                leave(&nodes, place, first.thread, edges);
            }
            path.push(place);
        }
        let Some(place) = path.last().copied() else { return Ok(()) };
        let Some((choice, vector, marked)) = nodes[place].untried.pop() else {
            nodes[place].open = false;
            path.pop();
            continue;
        };
        let progress = nodes[place].progress | marked;
        let by = Move { thread: first.thread, choice };
        match landing(space, &vector) {
            Landing::Nowhere => {}
            Landing::Observed => {
                if leaves.insert((vector.clone(), progress), ()).is_none() {
                    let moves = moves_to(&nodes, Some(place), by);
                    edges.push(Edge { vector, moves, thread: first.thread, progress });
                }
            }
            Landing::Inside(_) => match known.get(&(vector.clone(), progress)) {
                Some(before) if nodes[*before].open => {
                    add(gaps, Gap::EndlessSection(space.thread(&vector, owner).user));
                }
                Some(_) => {}
                None => entering = Some((vector, progress, Some(place), by)),
            },
        }
    }
}

fn leave(nodes: &[Inside], place: usize, thread: u32, edges: &mut Vec<Edge>) {
    let node = &nodes[place];
    let moves = moves_to(nodes, node.from, node.by);
    edges.push(Edge { vector: node.vector.clone(), moves, thread, progress: node.progress });
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
