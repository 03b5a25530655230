//! One run of a program on the machine, as a processor would do it: what it prints and how it ends. For comparison with
//! the natively compiled program and for measuring speed; nothing is minimised or narrated.

use std::time::{Duration, Instant};

use raddle_machine::drive::{Ended, Limits, ViolationKind, drive};
use raddle_machine::{RaceMonitor, RunEnd, Scene, Watch};
use raddle_sample::{Generator, Random};
use raddle_trace::Property;

use crate::engines::sampling::MAX_MOVES;
use crate::error::DriverError;
use crate::expressions::Expressions;
use crate::inputs::expand;
use crate::program::{load_program, machine};
use crate::request::{CheckRequest, OptimizeLevel};
use crate::settings;

/// What one run did.
#[derive(Clone, Debug)]
pub struct Executed {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// `None`: the process did not end.
    pub exit_code: Option<i32>,
    /// It ended by `abort`.
    pub aborted: bool,
    /// Why the run was over.
    pub ended: String,
    /// Every violation of the requested properties, as text.
    pub faults: Vec<String>,
    /// Steps of the schedule.
    pub moves: u64,
    /// Compiling, reading and preparing.
    pub loading: Duration,
    /// The run itself.
    pub running: Duration,
    /// The processor time of the run, where the system reports it: unlike `running`, hardly affected by other
    /// processes.
    pub processor: Option<Duration>,
}

/// Listens to what is printed and to the end of the process.
#[derive(Default)]
struct Console {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    exit: Option<(i32, bool)>,
}

impl Watch for Console {
    fn idle(&self) -> bool {
        true
    }
    fn output(&mut self, _: &Scene, stream: u32, bytes: &[u8]) {
        if stream == 2 { &mut self.stderr } else { &mut self.stdout }.extend_from_slice(bytes);
    }
    fn process_exit(&mut self, _: &Scene, code: i32, aborted: bool) {
        self.exit.get_or_insert((code, aborted));
    }
}

/// Runs the program once, on the random schedule of the request's seed.
pub fn execute(request: &CheckRequest) -> Result<Executed, DriverError> {
    request.validate()?;
    let start = Instant::now();
    let sources = expand(&request.inputs, request.compile.trust_flags)?;
    let (compile, semantics) = (&request.compile, &request.semantics);
    let loaded = load_program(&sources, compile, semantics, Expressions::default(), &request.budget)?;
    // As in a check: of optimised code, races and overflow are not judged.
    let optimised = request.compile.optimize != OptimizeLevel::O0;
    let mut properties = request.properties.clone();
    properties.retain(|p| !(optimised && matches!(p, Property::Race | Property::Overflow)));
    let machine = machine(&loaded.program, settings::of_request(request, &properties, &[]))?;
    let loading = start.elapsed();
    let budget = &request.budget;
    let asked = |property: Property| properties.contains(&property);
    let limits = Limits {
        max_moves: MAX_MOVES,
        deadline: budget.timeout.map(|t| budget.started + t),
        cancel: budget.cancel.clone(),
        memory_is_full: budget.memory_is_full.clone(),
        deadlocks: asked(Property::Deadlock),
        leaks: asked(Property::Leak),
    };
    let mut console = Console::default();
    let mut monitor = RaceMonitor::new();
    let judge = asked(Property::Race).then_some(&mut monitor);
    let mut strategy = Random::new(Generator::for_run(budget.seed, 0));
    let (start, processor_before) = (Instant::now(), processor_time());
    let execution = drive(&machine, &mut strategy, judge, &mut console, &limits);
    let running = start.elapsed();
    let processor = processor_time().zip(processor_before).map(|(after, before)| after - before);
    let ended = match (execution.ended, execution.state.end()) {
        (_, Some(RunEnd::Unsupported { reason, .. })) => format!("unsupported: {reason}"),
        (_, Some(end)) => format!("{end:?}"),
        (Ended::Complete, None) => "complete".into(),
        (Ended::StepLimit, None) => format!("cut after {MAX_MOVES} steps"),
        (other, None) => format!("{other:?}"),
    };
    let program = &loaded.program;
    let describe = |kind: &ViolationKind| match kind {
        ViolationKind::Fault(fault) => {
            let function = program.function(fault.user.function);
            let place = function.places.get(fault.user.pc as usize).copied().unwrap_or_default();
            let file = program.file(place.file);
            format!("{:?} {} at {file}:{}:{}", fault.kind, fault.message, place.line, place.column)
        }
        ViolationKind::Race(race) => format!("{race:?}"),
        ViolationKind::Deadlock(deadlock) => format!("{deadlock:?}"),
        ViolationKind::Invariant(broken) => format!("{broken:?}"),
    };
    Ok(Executed {
        stdout: console.stdout,
        stderr: console.stderr,
        exit_code: console.exit.map(|(code, _)| code),
        aborted: console.exit.is_some_and(|(_, aborted)| aborted),
        ended,
        faults: execution.violations.iter().map(|v| describe(&v.kind)).collect(),
        moves: execution.schedule.len() as u64,
        loading,
        running,
        processor,
    })
}

/// What this thread has used so far (Linux: nanoseconds on a processor are the first number of `schedstat`).
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
