//! Runs: threads with names, step after step; and their replay, which checks everything again.

use super::interpret::Configuration;
use super::system::{Effect, Initial, LocalState, SharedState, System, Target};
use std::fmt;

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// Index into [`System::transitions`].
    pub transition: usize,
    /// The thread that takes it; none for a broadcast.
    pub thread: Option<usize>,
    /// Where each other thread goes that is in a local state with passive moves, in the order of threads.
    pub passive: Vec<(usize, LocalState)>,
}

/// A run: threads are numbered from 0, those that are spawned behind those that exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub shared: SharedState,
    /// The local states at the start.
    pub threads: Vec<LocalState>,
    pub steps: Vec<RunStep>,
}

/// A step of a run to be: the transition, and what some of the other threads must do, as from, to, how many. The rest
/// of them do anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedStep {
    pub transition: usize,
    pub passive: Vec<(LocalState, LocalState, u32)>,
}

/// Why a run is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The step, from 0; none where the start or the end is wrong.
    pub step: Option<usize>,
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {}: {}", step + 1, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Refusal {}

impl Run {
    /// Gives names to the threads of a plan: the thread that moved last moves again where it can.
    pub fn follow(
        system: &System,
        shared: SharedState,
        threads: &[LocalState],
        plan: &[PlannedStep],
    ) -> Result<Run, Refusal> {
        let mut run = Run { shared, threads: threads.to_vec(), steps: Vec::new() };
        let mut state = State { shared, threads: threads.to_vec() };
        let mut last = 0;
        for (position, planned) in plan.iter().enumerate() {
            let refuse = |message: String| Refusal { step: Some(position), message };
            let transition = system
                .transitions
                .get(planned.transition)
                .ok_or_else(|| refuse("there is no such transition".into()))?;
            let thread = match transition.effect.needs() {
                None => None,
                Some(local) if state.threads.get(last) == Some(&local) => Some(last),
                Some(local) => {
                    let found = state.threads.iter().position(|l| *l == local);
                    Some(found.ok_or_else(|| refuse(format!("no thread is in local state {local}")))?)
                }
            };
            let mut wanted = planned.passive.clone();
            let mut passive = Vec::new();
            for (other, local) in state.threads.iter().enumerate() {
                if transition.passive.is_empty() {
                    break;
                }
                if Some(other) == thread || transition.passive.iter().all(|(a, _)| a != local) {
                    continue;
                }
                let open = wanted.iter_mut().find(|(a, _, count)| a == local && *count > 0);
                let to = match open {
                    Some((_, to, count)) => {
                        *count -= 1;
                        *to
                    }
                    None => transition.passive_targets(*local)[0],
                };
                passive.push((other, to));
            }
            if let Some((from, to, _)) = wanted.iter().find(|(_, _, count)| *count > 0) {
                return Err(refuse(format!("too few threads go from local state {from} to {to}")));
            }
            let step = RunStep { transition: planned.transition, thread, passive };
            state.take(system, &step).map_err(refuse)?;
            last = thread.unwrap_or(last);
            run.steps.push(step);
        }
        Ok(run)
    }
}

/// Executes a run: it must begin where `initial` allows, every step must be one, and the end must cover `target`.
/// `visit` is called with the shared state and the threads before the first step and after each.
pub fn replay(
    system: &System,
    initial: &Initial,
    target: &Target,
    run: &Run,
    mut visit: impl FnMut(SharedState, &[LocalState]),
) -> Result<(), Refusal> {
    let refuse = |message: String| Refusal { step: None, message };
    if let Some(what) = system.refuses(run.shared, run.threads.iter().copied()) {
        return Err(refuse(format!("the run begins with {what}")));
    }
    if !initial.admits(run.shared, &run.threads) {
        return Err(refuse(format!("the run does not begin in the initial state {initial}")));
    }
    let mut state = State { shared: run.shared, threads: run.threads.clone() };
    visit(state.shared, &state.threads);
    for (position, step) in run.steps.iter().enumerate() {
        state.take(system, step).map_err(|message| Refusal { step: Some(position), message })?;
        visit(state.shared, &state.threads);
    }
    if !Configuration::new(state.shared, state.threads).covers(target) {
        return Err(refuse(format!("the run does not end in a state that covers {target}")));
    }
    Ok(())
}

struct State {
    shared: SharedState,
    threads: Vec<LocalState>,
}

impl State {
    fn take(&mut self, system: &System, step: &RunStep) -> Result<(), String> {
        let transition = system.transitions.get(step.transition).ok_or("there is no such transition")?;
        if transition.from != self.shared {
            return Err(format!("the shared state is {}, not {}", self.shared, transition.from));
        }
        match (transition.effect.needs(), step.thread) {
            (None, None) => {}
            (None, Some(_)) => return Err("no thread takes a broadcast".into()),
            (Some(_), None) => return Err("no thread is given for the transition".into()),
            (Some(local), Some(thread)) => match self.threads.get(thread) {
                Some(own) if *own == local => {}
                Some(own) => return Err(format!("thread {thread} is in local state {own}, not {local}")),
                None => return Err(format!("there is no thread {thread}")),
            },
        }
        let mut moves = step.passive.iter();
        for (other, local) in self.threads.iter().enumerate() {
            if transition.passive.is_empty() {
                break;
            }
            if Some(other) == step.thread || transition.passive.iter().all(|(a, _)| a != local) {
                continue;
            }
            match moves.next() {
                Some((named, to)) if *named == other => {
                    if transition.passive.binary_search(&(*local, *to)).is_err() {
                        return Err(format!("thread {other} cannot go from local state {local} to {to}"));
                    }
                }
                _ => return Err(format!("thread {other} must take a passive move")),
            }
        }
        if let Some((other, _)) = moves.next() {
            return Err(format!("thread {other} has no passive move"));
        }
        // Nothing changes before everything is allowed: the moves are simultaneous.
        for (other, to) in &step.passive {
            self.threads[*other] = *to;
        }
        match (transition.effect, step.thread) {
            (Effect::Move { after, .. }, Some(thread)) => self.threads[thread] = after,
            (Effect::Spawn { child, .. }, _) => self.threads.push(child),
            _ => {}
        }
        self.shared = transition.to;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tts::{read, read_initial, read_target};

    /// What replay says of a run of `2 4` with these transitions, from `0|0,1` to `1|3`.
    fn verdict(transitions: &str, threads: &[u32], steps: Vec<RunStep>) -> Result<usize, String> {
        let system = read(&format!("2 4\n{transitions}")).unwrap();
        let threads = threads.iter().map(|l| LocalState(*l)).collect();
        let run = Run { shared: SharedState(0), threads, steps };
        let (initial, target) = (read_initial("0|0/1").unwrap(), read_target("1|3").unwrap());
        let mut seen = 0;
        replay(&system, &initial, &target, &run, |_, _| seen += 1).map_err(|e| e.to_string())?;
        Ok(seen)
    }

    fn step(transition: usize, thread: Option<usize>, passive: &[(usize, u32)]) -> RunStep {
        let passive = passive.iter().map(|(t, l)| (*t, LocalState(*l))).collect();
        RunStep { transition, thread, passive }
    }

    #[test]
    fn good_runs_pass() {
        assert_eq!(verdict("0 0 -> 1 3", &[0, 1], vec![step(0, Some(0), &[])]), Ok(2));
        assert_eq!(verdict("0 0 -> 1 0 1 ~> 3", &[0, 1], vec![step(0, Some(0), &[(1, 3)])]), Ok(2));
        assert_eq!(verdict("0 0 +> 1 3", &[0], vec![step(0, Some(0), &[])]), Ok(2));
        assert_eq!(verdict("0 1 ~> 1 3", &[1, 0], vec![step(0, None, &[(0, 3)])]), Ok(2));
    }

    #[test]
    fn bad_runs_do_not() {
        for (transitions, threads, steps, part) in [
            ("0 0 -> 1 3", &[1][..], vec![], "does not begin"),
            ("0 0 -> 1 3", &[0, 0], vec![], "does not begin"),
            ("0 0 -> 1 3", &[0, 9], vec![], "begins with local state 9"),
            ("0 0 -> 1 3", &[0], vec![], "does not end"),
            ("0 0 -> 1 3", &[0], vec![step(1, Some(0), &[])], "no such transition"),
            ("1 0 -> 1 3", &[0], vec![step(0, Some(0), &[])], "step 1: the shared state is 0, not 1"),
            ("0 0 -> 1 3", &[1, 0], vec![step(0, Some(0), &[])], "thread 0 is in local state 1, not 0"),
            ("0 0 -> 1 3", &[0], vec![step(0, Some(7), &[])], "no thread 7"),
            ("0 0 -> 1 3", &[0], vec![step(0, None, &[])], "no thread is given"),
            ("0 1 ~> 1 3", &[0], vec![step(0, Some(0), &[])], "no thread takes a broadcast"),
            ("0 0 -> 1 0 1 ~> 3", &[0, 1], vec![step(0, Some(0), &[])], "thread 1 must take a passive move"),
            (
                "0 0 -> 1 0 1 ~> 3",
                &[0, 1],
                vec![step(0, Some(0), &[(1, 2)])],
                "cannot go from local state 1 to 2",
            ),
            ("0 0 -> 1 3", &[0, 1], vec![step(0, Some(0), &[(1, 1)])], "thread 1 has no passive move"),
        ] {
            let said = verdict(transitions, threads, steps).expect_err(part);
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn plans_that_cannot_be_followed_are_refused() {
        let system = read("2 4\n0 0 -> 1 0 1 ~> 2 1 ~> 3\n").unwrap();
        let planned =
            |count| PlannedStep { transition: 0, passive: vec![(LocalState(1), LocalState(3), count)] };
        let threads = [LocalState(0), LocalState(1), LocalState(1)];
        let follow = |count| Run::follow(&system, SharedState(0), &threads, &[planned(count)]);
        // The rest takes what is listed first.
        assert_eq!(follow(1).unwrap().steps[0].passive, [(1, LocalState(3)), (2, LocalState(2))]);
        assert!(follow(3).unwrap_err().message.contains("too few"));
        assert!(Run::follow(&system, SharedState(0), &threads[1..], &[planned(0)]).is_err());
    }
}
