//! Events: what the search takes as one operation of a thread.
//!
//! An event is a step of the machine. If the step begins a section of the user, or a section of a model that waits for
//! a choice, everything up to the section's end belongs to it: no other thread is enabled meanwhile. A choice outside
//! a section is an event of its own, which touches nothing.
//!
//! A section that cannot come to its end (it blocks, an assumption or an assertion fails in it, it ends the process)
//! would block all other threads for ever, and so would an event that ends the run (a memory fault, or what the
//! machine cannot do). The events of the others could have come before it, so the state is restored to the one before
//! it, the thread is *dead*, and the event counts with what it touched: after other events, it may come further.

use raddle_machine::drive::Move;
use raddle_machine::{
    Blocked, CodePoint, Effects, Fault, Footprint, Machine, RaceMonitor, State, ThreadIndex, Touch, pointer,
    user_point,
};

use crate::search::rounds_left_out::Unordered;

/// Answers to the choices of one event, in order: the answer and the last one possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers(pub Vec<(u64, u64)>);

impl Answers {
    /// All first answers: among events that differ only in these, the one that others are compared with.
    pub fn is_first(&self) -> bool {
        self.0.iter().all(|(answer, _)| *answer == 0)
    }

    /// The next in order; what follows the changed answer is dropped. `false`: there is none.
    pub fn next(&mut self) -> bool {
        while let Some((answer, last)) = self.0.pop() {
            if answer < last {
                self.0.push((answer + 1, last));
                return true;
            }
        }
        false
    }
}

/// How an event came out.
#[derive(Clone, PartialEq, Default, Debug)]
pub enum Arrival {
    #[default]
    Done,
    /// A section that could not be ended, or the end of the run: the caller puts the state back to what it was, and
    /// the thread never goes on.
    Stuck,
    /// The thread cannot do it now: nothing happened.
    Disabled,
    /// It would go on by a spurious wake-up or a time-out only, which is not allowed here: what it did is to be undone.
    Escaped,
    /// A choice with more than [`MOST_ANSWERS`] answers.
    TooWide { user: CodePoint, last: u64 },
}

/// Answers of one choice that are enumerated.
pub const MOST_ANSWERS: u64 = 1024;

/// Answers to all choices of one event together with which it is tried what it touches: as many as one choice may have.
const MOST_OTHERS: u64 = MOST_ANSWERS;

/// Steps of one section, after which it is taken for one that is never left.
pub const MOST_STEPS: usize = 20_000;

/// What an event did.
#[derive(Default, Debug)]
pub struct Performed {
    pub came: Arrival,
    /// It was given up in a section after [`MOST_STEPS`].
    pub endless: bool,
    /// There was a choice inside a section: what it touches may vary with the answer.
    pub chose_inside: bool,
    /// The section was a model's. Such a choice is among what is there at that moment (one of the waiters), so that
    /// the event counts with what it touches with any answer.
    pub picked: bool,
    /// What a thread waits for that cannot do it.
    pub waits_for: Option<Blocked>,
}

/// Who listens where races are checked.
pub struct Monitors<'a> {
    pub races: &'a mut RaceMonitor,
    pub unordered: &'a mut Unordered,
}

impl<'a> Monitors<'a> {
    pub fn of(races: Option<&'a mut RaceMonitor>, unordered: &'a mut Unordered) -> Option<Monitors<'a>> {
        races.map(|races| Monitors { races, unordered })
    }
}

/// Where an event is recorded.
pub struct EventRecorder<'a> {
    pub footprint: &'a mut Footprint,
    pub monitor: Option<Monitors<'a>>,
    /// Moves are added at the end.
    pub moves: &'a mut Vec<Move>,
    /// Faults, each with the number of moves up to it.
    pub faults: &'a mut Vec<(Fault, usize)>,
    /// Going on by a spurious wake-up or a time-out is refused.
    pub no_escape: bool,
}

/// Executes the next event of a thread.
pub fn perform(
    machine: &Machine,
    state: &mut State,
    index: ThreadIndex,
    answers: &mut Answers,
    recorder: &mut EventRecorder,
) -> Performed {
    let number = state.thread(index).number;
    let mut asked = 0;
    let mut performed = Performed::default();
    let mut steps = 0;
    let outside = |state: &State| state.in_section().is_none() && state.atomic_owner().is_none();
    loop {
        let choice = match state.thread(index).pending {
            None => None,
            Some(request) => {
                if asked == answers.0.len() {
                    if request.last >= MOST_ANSWERS {
                        let user = user_point(machine, state.thread(index));
                        return Performed {
                            came: Arrival::TooWide { user, last: request.last },
                            ..performed
                        };
                    }
                    answers.0.push((0, request.last));
                }
                performed.chose_inside |= !outside(state);
                performed.picked |= state.in_section().is_some();
                asked += 1;
                Some(answers.0[asked - 1].0)
            }
        };
        let outcome = match &mut recorder.monitor {
            Some(Monitors { races, unordered }) => {
                let mut monitors = (&mut **races, &mut **unordered);
                machine.step(state, index, choice, &mut (&mut monitors, &mut *recorder.footprint))
            }
            None => machine.step(state, index, choice, recorder.footprint),
        };
        if outcome.blocked.is_some() {
            recorder.footprint.effects.add(Effects::BLOCKED);
            if steps == 0 {
                return Performed { came: Arrival::Disabled, waits_for: outcome.blocked, ..performed };
            }
            return Performed { came: stuck(recorder), ..performed };
        }
        if outcome.escaped && recorder.no_escape && steps == 0 {
            return Performed { came: Arrival::Escaped, ..performed };
        }
        recorder.moves.push(Move { thread: number, choice });
        let count = recorder.moves.len();
        recorder.faults.extend(outcome.faults.into_iter().map(|fault| (fault, count)));
        let over = state.end().is_some();
        if !over && outside(state) {
            return performed;
        }
        steps += 1;
        let endless = steps >= MOST_STEPS;
        if over || endless || !state.thread(index).is_running() {
            return Performed { came: stuck(recorder), endless, ..performed };
        }
    }
}

/// What is left of the footprint: all of it counts as read only. But its writes may race with accesses of other
/// threads, so with a race monitor they stay writes, and both orders are explored.
fn stuck(recorder: &mut EventRecorder) -> Arrival {
    let footprint = &mut *recorder.footprint;
    if recorder.monitor.is_none() {
        for touch in &mut footprint.touches {
            touch.write = false;
        }
    }
    footprint.locks.clear();
    // In another state it may write again.
    footprint.effects = Effects::ATOMIC_BEGIN;
    Arrival::Stuck
}

/// A coarse summary of a footprint: if two do not meet, neither do the footprints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// Bits of the words that are touched, and of those that are written. The end of a thread is like a write of a
    /// word of its own, a query of it like a read.
    touched: u128,
    written: u128,
}

/// Bits of words, and above them those of the ends of threads.
const WORDS: u32 = 112;
const WORD_BITS: u128 = (1 << WORDS) - 1;
/// A word has two to the power of so many bytes. Mutexes take two: more words, and the summaries of locks all meet.
const WORD_SIZE: u32 = 4;

impl Outline {
    /// `thread`: the number of its thread.
    pub fn of(footprint: &Footprint, thread: u32) -> Outline {
        let end = |thread: u32| 1 << (WORDS + thread % (128 - WORDS));
        let mut outline = Outline {
            written: if footprint.effects.has(ENDS) { end(thread) } else { 0 },
            touched: footprint.queried_ends.iter().fold(0, |bits, asked| bits | end(*asked)),
        };
        for touch in &footprint.touches {
            let (first, last) =
                (touch.pointer >> WORD_SIZE, (touch.pointer + touch.length as u64 - 1) >> WORD_SIZE);
            let bit = |word: u64| 1 << ((word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % WORDS as u64);
            let bits = if last - first >= 8 {
                WORD_BITS
            } else {
                (first..=last).fold(0, |bits, word| bits | bit(word))
            };
            outline.touched |= bits;
            if touch.write {
                outline.written |= bits;
            }
        }
        outline
    }

    /// Whether the events may depend on each other as they are.
    pub fn meets(self, other: Outline) -> bool {
        self.written & other.touched | self.touched & other.written != 0
    }

    /// Whether they may at another moment.
    pub fn touches(self, other: Outline) -> bool {
        self.touched & other.touched & WORD_BITS != 0 || self.meets(other)
    }
}

const ENDS: Effects = Effects(Effects::THREAD_END.0 | Effects::PROCESS_EXIT.0);

/// Whether two events of different threads may not be swapped. `own` and `other`: the numbers of the threads.
pub fn depend(a: &Footprint, own: u32, b: &Footprint, other: u32) -> bool {
    a.touches.iter().any(|x| b.touches.iter().any(|y| x.conflicts(y))) || one_asks(a, own, b, other)
}

/// Whether one queries whether the other's thread has ended, and the other ends it.
fn one_asks(a: &Footprint, own: u32, b: &Footprint, other: u32) -> bool {
    a.effects.has(ENDS) && b.queried_ends.contains(&own)
        || b.effects.has(ENDS) && a.queried_ends.contains(&other)
}

/// Whether two events, at other moments, may depend on each other: what models and sections do, and a compare-exchange,
/// may write then what they only read now.
pub fn may_depend(a: &Footprint, own: u32, b: &Footprint, other: u32) -> bool {
    let soft = Effects(Effects::EXCHANGE_FAILED.0 | Effects::BLOCKED.0 | Effects::ATOMIC_BEGIN.0);
    let soft = a.effects.has(soft) || b.effects.has(soft);
    let meets =
        |x: &Touch, y: &Touch| x.overlaps(y) && (x.write || y.write || soft || x.internal || y.internal);
    a.touches.iter().any(|x| b.touches.iter().any(|y| meets(x, y))) || one_asks(a, own, b, other)
}

/// Fewer touches for the same bytes, of those that models do inside: what touches or meets another is joined with it.
pub fn join_internal(footprint: &mut Footprint) {
    let touches = &mut footprint.touches;
    let mut i = 1;
    while i < touches.len() {
        let joined = (0..i).find_map(|j| Some((j, join(&touches[j], &touches[i])?)));
        match joined {
            None => i += 1,
            Some((j, both)) => {
                touches[j] = both;
                touches.swap_remove(i);
            }
        }
    }
}

fn join(a: &Touch, b: &Touch) -> Option<Touch> {
    let (a_end, b_end) = (a.pointer + a.length as u64, b.pointer + b.length as u64);
    if !a.internal || !b.internal || pointer::object(a.pointer) != pointer::object(b.pointer) {
        return None;
    }
    if covers(a, b) {
        return Some(*a);
    }
    if covers(b, a) {
        return Some(*b);
    }
    let meet = a.write == b.write && a.pointer <= b_end && b.pointer <= a_end;
    let (first, end) = (a.pointer.min(b.pointer), a_end.max(b_end));
    meet.then_some(Touch { pointer: first, length: (end - first) as u32, ..*a })
}

/// Whether whatever depends on the second touch depends on the first.
pub fn covers(a: &Touch, b: &Touch) -> bool {
    pointer::object(a.pointer) == pointer::object(b.pointer)
        && a.pointer <= b.pointer
        && a.pointer + a.length as u64 >= b.pointer + b.length as u64
        && a.write >= b.write
        && a.internal >= b.internal
}

/// Adds what an event touches with other answers. `false`: there are more than [`MOST_OTHERS`], and not all were tried.
pub fn add_other_answers(
    machine: &Machine,
    before: &State,
    index: ThreadIndex,
    footprint: &mut Footprint,
) -> bool {
    let mut answers = Answers::default();
    for _ in 0..MOST_OTHERS {
        let mut state = before.clone();
        let mut other = Footprint::default();
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        let mut recorder = EventRecorder {
            footprint: &mut other,
            monitor: None,
            moves: &mut moves,
            faults: &mut faults,
            no_escape: false,
        };
        perform(machine, &mut state, index, &mut answers, &mut recorder);
        for touch in other.touches {
            if !footprint.touches.contains(&touch) {
                footprint.touches.push(touch);
            }
        }
        if !answers.next() {
            return true;
        }
    }
    false
}
