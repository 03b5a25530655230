//! Data races by state, without vector clocks.
//!
//! Two threads race when their pending accesses conflict and are not both atomic. With supersteps this is checked for
//! every pair of steps of different supersteps: what comes before them in their supersteps is independent, so a state
//! where both are pending can be reached.
//!
//! Two kinds of races are not found this way, and where they are possible the absence of races proves nothing:
//!
//! 1. a compare-exchange that wrote, and a plain read by a thread that has changed the same bytes atomically in between:
//!    with both pending in one state, the compare-exchange fails, which is a read;
//! 2. an access of a kernel section after a choice: while it is pending, no other thread can step.

use raddle_machine::{Effects, Footprint, Touch};

use crate::reduction::pending::Pending;
use crate::search::race_completeness::UnorderedOperation;
use crate::search::successors::{Finding, Found};

/// Races between first steps.
pub fn judge_races(pendings: &[Pending], found: &mut Vec<Found>) {
    for (i, a) in pendings.iter().enumerate() {
        for b in &pendings[i + 1..] {
            if !a.outline.meets(b.outline) && a.kept_out.is_none() && b.kept_out.is_none() {
                continue;
            }
            let may_bypass = a.outline.may_bypass(b.outline) || a.kept_out.is_some() || b.kept_out.is_some();
            let beside_section = |a: &Pending, b: &Pending| {
                let mut rest = a.rest_of_section.iter();
                let races = |a: &Footprint, b: &Footprint| {
                    race_between(a, b).is_some() || may_bypass && bypasses(a, b)
                };
                rest.any(|step| b.footprints().any(|other| races(&step.footprint, other)))
            };
            if beside_section(a, b) || beside_section(b, a) {
                found.push(Found {
                    finding: Finding::Unordered(UnorderedOperation::ChoiceInSection),
                    moves: Vec::new(),
                });
            }
            for left in a.footprints() {
                for right in b.footprints() {
                    if let Some(touches) = race_between(left, right) {
                        let finding = Finding::Race { threads: (a.number, b.number), touches };
                        found.push(Found { finding, moves: Vec::new() });
                    }
                    if may_bypass && bypasses(left, right) {
                        let finding = Finding::Unordered(UnorderedOperation::LockAccess);
                        found.push(Found { finding, moves: Vec::new() });
                    }
                    if may_have_raced(left, right) {
                        found.push(Found {
                            finding: Finding::Unordered(UnorderedOperation::CompareExchange),
                            moves: Vec::new(),
                        });
                    }
                }
            }
        }
    }
}

/// A compare-exchange that fails here and a plain read of the same bytes.
pub fn may_have_raced(a: &Footprint, b: &Footprint) -> bool {
    let one = |exchange: &Footprint, other: &Footprint| {
        exchange.effects.has(Effects::EXCHANGE_FAILED)
            && exchange.touches.iter().any(|x| {
                let written = Touch { write: true, ..*x };
                other.touches.iter().any(|y| written.races(y) && !x.races(y))
            })
    };
    one(a, b) || one(b, a)
}

/// An access outside of kernel sections to bytes that the section of the other accesses, one of them a write.
pub fn bypasses(a: &Footprint, b: &Footprint) -> bool {
    a.touches.iter().any(|x| b.touches.iter().any(|y| x.bypasses(y)))
}

pub fn race_between(a: &Footprint, b: &Footprint) -> Option<(Touch, Touch)> {
    a.touches.iter().find_map(|x| b.touches.iter().find(|y| x.races(y)).map(|y| (*x, *y)))
}
