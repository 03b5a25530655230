//! Random schedules: at each step any thread that can, with equal chance. Spurious wake-ups and time-outs are rare
//! while another thread can go on.

use raddle_machine::drive::Strategy;
use raddle_machine::{ChoiceRequest, Readiness, State, ThreadIndex};

use crate::Generator;

pub struct Random {
    generator: Generator,
    enabled: Vec<ThreadIndex>,
}

impl Random {
    pub fn new(generator: Generator) -> Self {
        Random { generator, enabled: Vec::new() }
    }
}

/// The threads to choose from: those enabled; those with an escape if none is, or once in a while.
pub(crate) fn candidates(readiness: &[Readiness], escapes: bool, out: &mut Vec<ThreadIndex>) {
    out.clear();
    let by = |f: fn(&Readiness) -> bool, out: &mut Vec<ThreadIndex>| {
        out.extend(readiness.iter().enumerate().filter(|(_, r)| f(r)).map(|(i, _)| ThreadIndex(i as u32)));
    };
    by(|r| matches!(r, Readiness::Enabled), out);
    if escapes || out.is_empty() {
        by(|r| matches!(r, Readiness::Escape(..)), out);
    }
}

impl Strategy for Random {
    fn pick(&mut self, _: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        let escapes = self.generator.one_in(10);
        candidates(readiness, escapes, &mut self.enabled);
        if self.enabled.is_empty() {
            return None;
        }
        Some(self.enabled[self.generator.below(self.enabled.len() as u64) as usize])
    }

    fn choose(&mut self, _: &State, _: ThreadIndex, request: ChoiceRequest) -> u64 {
        self.generator.choice(request)
    }
}
