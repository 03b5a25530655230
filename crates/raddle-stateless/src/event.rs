//! Events: what the search takes as one operation of a thread.
//!
//! An event is a step of the machine. If the step begins a section of the user, or a section of a model that waits for a
//! choice, everything up to the section's end belongs to it: nobody else can do anything meanwhile. A choice outside a
//! section is an event of its own, which touches nothing.
//!
//! A section that cannot come to its end (it blocks, an assumption or an assertion fails in it, it ends the process) would
//! keep everybody else out for ever, and so would an event that ends the run (a memory fault, or what the machine cannot
//! do). What the others do could have come before it, so the state is put back to what it was, the thread is *dead*, and
//! the event counts with what it looked at: in front of it, others may let it come further.

use raddle_machine::drive::Move;
use raddle_machine::{
    CodePoint, Effects, Fault, Footprint, Machine, RaceMonitor, State, ThreadIndex, Touch, user_point,
};

/// Answers to the choices of one event, in order: the answer and the last one possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers(pub Vec<(u64, u64)>);

impl Answers {
    /// All first answers: among events that differ only in these, the one that others are compared with.
    pub fn is_first(&self) -> bool {
        self.0.iter().all(|(answer, _)| *answer == 0)
    }

    /// The next in order; what follows the changed answer is forgotten. `false`: there is none.
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
#[derive(Clone, PartialEq, Debug)]
pub enum Came {
    Done,
    /// A section that could not be ended, or the end of the run: the caller puts the state back to what it was, and the thread never goes on.
    Stuck,
    /// The thread cannot do it now: nothing happened.
    Disabled,
    /// A choice with more than [`MOST_ANSWERS`] answers.
    TooWide {
        user: CodePoint,
        last: u64,
    },
}

/// Answers of one choice that are enumerated.
pub const MOST_ANSWERS: u64 = 1024;

/// Steps of one section, after which it is taken for one that is never left.
pub const MOST_STEPS: usize = 20_000;

/// What an event did.
#[derive(Debug)]
pub struct Performed {
    pub came: Came,
    /// It was given up in a section after [`MOST_STEPS`].
    pub endless: bool,
    /// A choice was asked for inside a section: what it touches may vary with the answer.
    pub chose_inside: bool,
    /// The section was a model's. Such a choice is among what is there at that moment (one of the waiters), so that the event
    /// counts with what it touches with any answer.
    pub picked: bool,
}

/// Where an event is told.
pub struct Telling<'a> {
    pub footprint: &'a mut Footprint,
    pub monitor: Option<&'a mut RaceMonitor>,
    /// Moves are added at the end.
    pub moves: &'a mut Vec<Move>,
    /// Faults, each with the number of moves up to it.
    pub faults: &'a mut Vec<(Fault, usize)>,
}

/// Executes the next event of a thread.
pub fn perform(
    machine: &Machine,
    state: &mut State,
    index: ThreadIndex,
    answers: &mut Answers,
    telling: &mut Telling,
) -> Performed {
    let number = state.thread(index).number;
    let mut asked = 0;
    let mut chose_inside = false;
    let mut picked = false;
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
                            came: Came::TooWide { user, last: request.last },
                            chose_inside,
                            picked,
                            endless: false,
                        };
                    }
                    answers.0.push((0, request.last));
                }
                chose_inside |= !outside(state);
                picked |= state.in_section().is_some();
                asked += 1;
                Some(answers.0[asked - 1].0)
            }
        };
        let outcome = match telling.monitor.as_deref_mut() {
            Some(monitor) => machine.step(state, index, choice, &mut (monitor, &mut *telling.footprint)),
            None => machine.step(state, index, choice, telling.footprint),
        };
        if outcome.blocked.is_some() {
            telling.footprint.effects.add(Effects::BLOCKED);
            if steps == 0 {
                return Performed { came: Came::Disabled, chose_inside, picked, endless: false };
            }
            return Performed { came: stuck(telling), chose_inside, picked, endless: false };
        }
        telling.moves.push(Move { thread: number, choice });
        let count = telling.moves.len();
        telling.faults.extend(outcome.faults.into_iter().map(|fault| (fault, count)));
        let over = state.end().is_some();
        if !over && outside(state) {
            return Performed { came: Came::Done, chose_inside, picked, endless: false };
        }
        steps += 1;
        let endless = steps >= MOST_STEPS;
        if over || endless || !state.thread(index).is_running() {
            return Performed { came: stuck(telling), chose_inside, picked, endless };
        }
    }
}

/// What is left of the footprint: all of it was only looked at. But what it wrote may race with what others do, so whoever
/// judges races wants both orders.
fn stuck(telling: &mut Telling) -> Came {
    let footprint = &mut *telling.footprint;
    if telling.monitor.is_none() {
        for touch in &mut footprint.touches {
            touch.write = false;
        }
    }
    footprint.locks.clear();
    // At another moment it may write again.
    footprint.effects = Effects::ATOMIC_BEGIN;
    Came::Stuck
}

/// A rough picture of a footprint: if two do not meet, neither do the footprints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// Bits of the words that are touched, and of those that are written.
    touched: u128,
    written: u128,
    /// The end of a thread, or a question for it.
    ends: bool,
    asks: bool,
}

impl Outline {
    pub fn of(footprint: &Footprint) -> Outline {
        let mut outline = Outline {
            ends: footprint.effects.has(ENDS),
            asks: !footprint.asked.is_empty(),
            ..Outline::default()
        };
        for touch in &footprint.touches {
            let (first, last) = (touch.pointer >> 2, (touch.pointer + touch.length as u64 - 1) >> 2);
            let bits = if last - first >= 8 {
                u128::MAX
            } else {
                (first..=last)
                    .fold(0u128, |bits, word| bits | 1 << (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57))
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
        self.written & other.touched != 0
            || self.touched & other.written != 0
            || self.ends && other.asks
            || self.asks && other.ends
    }

    /// Whether they may at another moment.
    pub fn touches(self, other: Outline) -> bool {
        self.touched & other.touched != 0 || self.ends && other.asks || self.asks && other.ends
    }
}

const ENDS: Effects = Effects(Effects::THREAD_END.0 | Effects::PROCESS_EXIT.0);

/// Whether two events of different threads may not be swapped. `own` and `other`: the numbers of the threads.
pub fn depend(a: &Footprint, own: u32, b: &Footprint, other: u32) -> bool {
    a.touches.iter().any(|x| b.touches.iter().any(|y| x.conflicts(y)))
        || a.effects.has(ENDS) && b.asked.contains(&own)
        || b.effects.has(ENDS) && a.asked.contains(&other)
}

/// Whether two events, at other moments, may depend on each other: what models and sections do, and a compare-exchange,
/// may write then what they only read now.
pub fn may_depend(a: &Footprint, own: u32, b: &Footprint, other: u32) -> bool {
    let soft = Effects(Effects::EXCHANGE_FAILED.0 | Effects::BLOCKED.0 | Effects::ATOMIC_BEGIN.0);
    let soft = a.effects.has(soft) || b.effects.has(soft);
    let meets =
        |x: &Touch, y: &Touch| x.overlaps(y) && (x.write || y.write || soft || x.internal || y.internal);
    a.touches.iter().any(|x| b.touches.iter().any(|y| meets(x, y))) || depend(a, own, b, other)
}

/// Adds what an event touches with other answers.
pub fn add_other_answers(machine: &Machine, before: &State, index: ThreadIndex, footprint: &mut Footprint) {
    let mut answers = Answers::default();
    loop {
        let mut state = before.clone();
        let mut other = Footprint::default();
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        let mut telling =
            Telling { footprint: &mut other, monitor: None, moves: &mut moves, faults: &mut faults };
        perform(machine, &mut state, index, &mut answers, &mut telling);
        for touch in other.touches {
            if !footprint.touches.contains(&touch) {
                footprint.touches.push(touch);
            }
        }
        if !answers.next() {
            return;
        }
    }
}
