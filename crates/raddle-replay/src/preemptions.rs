//! How many preemptions a schedule has: switches away from a thread that could go on by itself and has not yielded.

use raddle_machine::drive::Move;
use raddle_machine::{Machine, Readiness};

/// Counts them; moves that are not possible do not count.
pub fn preemptions(machine: &Machine, moves: &[Move]) -> u64 {
    let (mut state, _) = machine.start(&mut ());
    let mut count = 0;
    let mut last: Option<u32> = None;
    for one in moves {
        if let Some(number) = last.filter(|number| *number != one.thread)
            && let Some(index) = state.thread_numbered(number)
            && !state.thread(index).yielded
            && matches!(machine.readiness(&mut state, index), Readiness::Enabled)
        {
            count += 1;
        }
        let Some(index) = state.thread_numbered(one.thread) else { continue };
        if machine.step(&mut state, index, one.choice, &mut ()).blocked.is_none() {
            last = Some(one.thread);
        }
    }
    count
}
