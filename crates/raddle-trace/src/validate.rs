//! Whether a trace that was read makes sense as a whole, beyond the shape of its JSON.

use crate::event::Event;
use crate::fault::FaultDetails;
use crate::trace::{ReplayScript, Trace};
use std::collections::BTreeSet;
use std::fmt;

/// What does not fit together, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inconsistency(pub String);

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Inconsistency {}

impl Trace {
    /// Checks that every thread that is named is in the thread table, that ids are unique, that steps are in
    /// order, and that the fault points at steps that exist.
    pub fn validate(&self) -> Result<(), Inconsistency> {
        let mut ids = BTreeSet::new();
        for thread in &self.threads {
            if !ids.insert(thread.id) {
                return Err(Inconsistency(format!("thread {} is in the thread table twice", thread.id)));
            }
        }
        let known = |id: u32, what: &dyn fmt::Display| {
            if ids.contains(&id) {
                Ok(())
            } else {
                Err(Inconsistency(format!("{what} names thread {id}, which is not in the thread table")))
            }
        };
        for thread in &self.threads {
            if let Some(parent) = thread.parent {
                known(parent, &format_args!("the parent of thread {}", thread.id))?;
                if parent == thread.id {
                    return Err(Inconsistency(format!("thread {parent} is its own parent")));
                }
            }
        }
        let mut previous = None;
        for step in &self.steps {
            if previous.is_some_and(|index| index >= step.index) {
                return Err(Inconsistency(format!("step {} is out of order", step.index)));
            }
            previous = Some(step.index);
            known(step.thread, &format_args!("step {}", step.index))?;
            for event in &step.events {
                match event {
                    Event::Spawn { child } | Event::Join { child } => {
                        known(*child, &format_args!("an event of step {}", step.index))?
                    }
                    Event::Blocked { owner: Some(owner), .. } => {
                        known(*owner, &format_args!("an event of step {}", step.index))?
                    }
                    Event::Read { from: Some(from), .. } | Event::Write { from: Some(from), .. } => {
                        self.step_exists(*from, &format!("step {}", step.index))?;
                        if *from > step.index {
                            let what = "reads what is written later";
                            return Err(Inconsistency(format!("step {} {what}", step.index)));
                        }
                    }
                    _ => {}
                }
            }
        }
        match &self.script {
            ReplayScript::Machine { steps, .. } => {
                for (position, step) in steps.iter().enumerate() {
                    known(step.thread, &format_args!("position {position} of the replay script"))?;
                }
            }
            ReplayScript::Tts { steps, .. } => {
                for (position, step) in steps.iter().enumerate() {
                    let moved = step.passive.iter().map(|(thread, _)| *thread);
                    for thread in step.thread.into_iter().chain(moved) {
                        known(thread, &format_args!("position {position} of the replay script"))?;
                    }
                }
            }
            ReplayScript::Bp { steps, .. } => {
                for (position, step) in steps.iter().enumerate() {
                    known(step.thread, &format_args!("position {position} of the replay script"))?;
                }
            }
        }
        if let Some(thread) = self.fault.thread {
            known(thread, &"the fault")?;
        }
        match &self.fault.details {
            FaultDetails::None => {}
            FaultDetails::Race { first, second, .. } => {
                for access in [first, second] {
                    known(access.thread, &"an access of the race")?;
                    if let Some(index) = access.step {
                        self.step_exists(index, "an access of the race")?;
                    }
                }
            }
            FaultDetails::Deadlock { blocked, cycle, .. } => {
                for thread in blocked {
                    known(thread.thread, &"the deadlock")?;
                    if let Some(owner) = thread.owner {
                        known(owner, &"the deadlock")?;
                    }
                }
                for id in cycle {
                    if !blocked.iter().any(|thread| thread.thread == *id) {
                        return Err(Inconsistency(format!(
                            "the deadlock's cycle names thread {id}, which is not blocked"
                        )));
                    }
                }
            }
            FaultDetails::Memory { freed_by, .. } => {
                if let Some(thread) = freed_by {
                    known(*thread, &"the history of the object")?;
                }
            }
        }
        if let Some(cycle) = &self.cycle {
            if let Some(step) = cycle.step {
                self.step_exists(step, "the cycle of the run")?;
            }
            let ReplayScript::Machine { steps, .. } = &self.script else {
                return Err(Inconsistency("a run with a cycle has a script of another kind".into()));
            };
            if cycle.script > steps.len() as u64 {
                return Err(Inconsistency(format!(
                    "the cycle of the run begins at position {} of a replay script of {} steps",
                    cycle.script,
                    steps.len()
                )));
            }
        }
        Ok(())
    }

    fn step_exists(&self, index: u64, what: &str) -> Result<(), Inconsistency> {
        if self.steps.binary_search_by_key(&index, |step| step.index).is_ok() {
            Ok(())
        } else {
            Err(Inconsistency(format!("{what} names step {index}, which is not in the trace")))
        }
    }
}
