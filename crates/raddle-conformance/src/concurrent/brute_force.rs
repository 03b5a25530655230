//! Every interleaving, step by step, with a set of the encodings of all states seen: slow, simple, and the measure of
//! every engine that is not.

use std::collections::{BTreeSet, HashSet};

use raddle_machine::{
    EncodeOptions, Fault, Footprint, Machine, Outcome, RunEnd, State, Status, ThreadIndex, property_of,
    user_point,
};

/// Bounds on the switches of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    pub switches: Option<u64>,
    pub preemptions: Option<u64>,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Words of the properties that are violated, races apart.
    pub violated: BTreeSet<&'static str>,
    /// Two threads are before accesses that conflict, not both atomic. One that another's atomic section keeps out
    /// counts with its access.
    pub race_by_state: bool,
    /// The user's places of such pairs, the smaller one first.
    pub racing: BTreeSet<((u32, u32), (u32, u32))>,
    /// Fingerprints of the states in which no thread is enabled.
    pub last_states: BTreeSet<u128>,
    /// Some run ended because the machine could not go on.
    pub unsupported: bool,
    pub exposed: bool,
    pub states: usize,
    /// A bound kept something out.
    pub cut: bool,
}

struct Search<'a> {
    machine: &'a Machine,
    options: &'a EncodeOptions<'a>,
    bounds: Bounds,
    leaks: bool,
    reached: Reached,
    seen: HashSet<(Vec<u8>, Used)>,
    todo: Vec<(State, Used)>,
}

/// The thread that ran last, by number, and whether its last operation was a yield; switches and preemptions so far.
/// All 0 without bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Used {
    last: u32,
    yielded: bool,
    switches: u64,
    preemptions: u64,
}

#[derive(Default)]
struct Yields(bool);

impl raddle_machine::Watch for Yields {
    fn yielded(&mut self, _: &raddle_machine::Scene) {
        self.0 = true;
    }
}

/// Explores everything; `None` when there are more states than `limit`. Preemptions are counted right only on a machine
/// that does not fuse the steps of a lone thread: its steps are single operations.
pub fn brute_force(
    machine: &Machine,
    options: &EncodeOptions,
    bounds: Bounds,
    leaks: bool,
    limit: usize,
) -> Option<Reached> {
    let (seen, todo, reached) = Default::default();
    let mut search = Search { machine, options, bounds, leaks, reached, seen, todo };
    let (state, outcome) = machine.start(&mut ());
    search.judge(&state, &outcome, ThreadIndex::MAIN, true);
    search.add(state, Used::default());
    while let Some((mut state, used)) = search.todo.pop() {
        if search.seen.len() > limit {
            return None;
        }
        search.expand(&mut state, used);
    }
    search.reached.states = search.seen.len();
    Some(search.reached)
}

impl Search<'_> {
    fn bounded(&self) -> bool {
        self.bounds.switches.is_some() || self.bounds.preemptions.is_some()
    }

    fn add(&mut self, state: State, used: Used) {
        let mut bytes = Vec::new();
        self.machine.encode(&state, self.options, &mut bytes);
        self.reached.exposed |= state.memory().exposed;
        if self.seen.insert((bytes, used)) {
            self.todo.push((state, used));
        }
    }

    fn judge(&mut self, state: &State, outcome: &Outcome, thread: ThreadIndex, first: bool) {
        let mut faults: Vec<Fault> = outcome.faults.clone();
        if self.leaks {
            let status = state.thread(thread).status;
            let finished = || state.threads().all(|(_, t)| t.status == Status::Finished);
            if matches!(status, Status::Stopped { .. }) || finished() && (!first || status != Status::Running)
            {
                faults.extend(self.machine.leaks(state, thread));
            }
        }
        self.reached.violated.extend(faults.iter().map(|f| property_of(&f.kind).word()));
        self.reached.unsupported |= matches!(state.end(), Some(RunEnd::Unsupported { .. }));
    }

    fn expand(&mut self, state: &mut State, used: Used) {
        if state.end().is_some() {
            return;
        }
        if self.machine.deadlock(state).is_some() {
            self.reached.violated.insert("deadlock");
        }
        self.judge_race(state);
        // Whether the thread that ran last could go on, other than by a spurious wake-up or a time-out.
        let last = state.thread_numbered(used.last);
        let could_go_on = last.is_some_and(|index| {
            let mut trial = state.clone();
            let outcome = self.machine.step(&mut trial, index, Some(0), &mut ());
            state.thread(index).is_running() && outcome.blocked.is_none() && !outcome.escaped
        });
        let mut goes_on = false;
        for i in 0..state.thread_count() {
            let index = ThreadIndex(i as u32);
            if !state.thread(index).is_running() {
                continue;
            }
            let answers = match state.thread(index).pending {
                None => vec![None],
                Some(request) => (0..=request.last).map(Some).collect(),
            };
            for choice in answers {
                let mut next = state.clone();
                let mut yields = Yields::default();
                let outcome = self.machine.step(&mut next, index, choice, &mut yields);
                let ready = self.machine.readiness(state, index).can_step();
                assert_eq!(ready, outcome.blocked.is_none(), "readiness says what a step does");
                if outcome.blocked.is_some() {
                    continue;
                }
                goes_on = true;
                let mut now = Used::default();
                if self.bounded() {
                    let number = state.thread(index).number;
                    let switch = used.last != 0 && used.last != number;
                    let preemption = switch && could_go_on && !used.yielded;
                    now = Used {
                        last: number,
                        yielded: yields.0,
                        switches: used.switches + switch as u64,
                        preemptions: used.preemptions + preemption as u64,
                    };
                    let over = |used: u64, bound: Option<u64>| bound.is_some_and(|b| used > b);
                    if over(now.switches, self.bounds.switches)
                        || over(now.preemptions, self.bounds.preemptions)
                    {
                        // What is wrong with the step itself needs the switch too.
                        self.reached.cut = true;
                        continue;
                    }
                    // What has no bound need not be counted.
                    now.switches *= self.bounds.switches.is_some() as u64;
                    now.preemptions *= self.bounds.preemptions.is_some() as u64;
                }
                self.judge(&next, &outcome, index, false);
                self.add(next, now);
            }
        }
        if !goes_on {
            self.reached.last_states.insert(self.machine.fingerprint(state, self.options));
        }
    }

    fn judge_race(&mut self, state: &State) {
        if state.in_section().is_some() {
            return;
        }
        let running = state.threads().filter(|(_, t)| t.is_running() && t.pending.is_none());
        let steps: Vec<((u32, u32), Footprint)> = running
            .map(|(i, thread)| {
                let at = user_point(self.machine, thread);
                ((at.function.0, at.pc), self.machine.footprint(state, i, None))
            })
            .collect();
        for (i, (first, a)) in steps.iter().enumerate() {
            for (second, b) in &steps[i + 1..] {
                if a.touches.iter().any(|x| b.touches.iter().any(|y| x.races(y))) {
                    self.reached.race_by_state = true;
                    self.reached.racing.insert((*first.min(second), *first.max(second)));
                }
            }
        }
    }
}
