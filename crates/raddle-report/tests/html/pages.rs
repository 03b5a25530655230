//! Reports that the tests of the page render: those of the other formats, and a lasso, a Boolean program, a thread
//! transition system, texts that want to be markup, and a trace of any length.

use raddle_trace::*;
use std::collections::BTreeMap;

use crate::samples::{self, Sample};
use raddle_report::{HtmlOptions, html};

pub fn page(sample: &Sample) -> String {
    report_page(&sample.report(), &|file: &str, line: u32| sample.line(file, line), sample.file)
}

pub fn report_page(report: &Report, lines: &dyn raddle_report::SourceLines, title: &str) -> String {
    html::render_report(report, lines, &HtmlOptions { title: title.into(), ..HtmlOptions::default() })
}

/// A page that has no source but what the traces carry.
pub fn bare_page(report: &Report) -> String {
    report_page(report, &|_: &str, _: u32| None, "bare.c")
}

pub fn all_samples() -> Vec<Sample> {
    vec![
        samples::lost_update(),
        samples::deadlock(),
        samples::race(),
        samples::many_threads(),
        samples::long_run(),
    ]
}

pub fn violated(trace: Trace) -> Report {
    let row = PropertyResult::violated(Finding::new(trace.property.clone(), 0));
    Report { rows: vec![row], traces: vec![trace], ..Report::default() }
}

fn write(path: &str, address: u64, old: u64, new: u64) -> Event {
    let (old, new, location) = (Some(old.to_string()), new.to_string(), Some(Location::new(address, 4)));
    Event::Write { path: path.into(), old, new, order: None, location, from: None }
}

fn thread(id: u32, name: &str) -> ThreadInfo {
    let parent = (id > 0).then_some(0);
    ThreadInfo { id, name: name.into(), parent, start_function: name.into(), created_at: None }
}

fn step(index: u64, thread: u32, line: u32, events: Vec<Event>) -> TraceStep {
    let place = Some(Place::new("long.c", line, 5).in_function("work"));
    TraceStep { index, thread, place, library_call: None, events, locks_held: vec![], frames: None }
}

fn fault(code: &str, message: &str, line: u32) -> Fault {
    Fault {
        code: code.into(),
        message: message.into(),
        place: Some(Place::new("long.c", line, 5)),
        thread: Some(0),
        stack: vec![],
        details: FaultDetails::None,
    }
}

fn trace(property: Property, fault: Fault, threads: Vec<ThreadInfo>, steps: Vec<TraceStep>) -> Trace {
    Trace {
        tool_version: tool_version().into(),
        program: ProgramIdentity::default(),
        property,
        fault,
        threads,
        steps,
        script: ReplayScript::Machine { steps: vec![], settings: BTreeMap::new() },
        why: Vec::new(),
        cycle: None,
        sources: BTreeMap::new(),
    }
}

/// So many steps of three threads that write and read a hundred variables; each read is of another thread's write.
pub fn long(steps: u64) -> Trace {
    let mut all =
        vec![step(0, 0, 1, vec![Event::Spawn { child: 1 }]), step(1, 0, 2, vec![Event::Spawn { child: 2 }])];
    for index in 2..steps {
        let (thread, variable) = ((index / 3 % 3) as u32, index / 2 % 100);
        let (path, address) = (format!("slot[{variable}]"), 4096 + 4 * variable);
        let event = match index % 2 {
            0 => write(&path, address, index - 1, index),
            _ => Event::Read {
                path,
                value: (index - 1).to_string(),
                order: None,
                location: Some(Location::new(address, 4)),
                from: Some(index - 1),
            },
        };
        all.push(step(index, thread, 3 + (index % 40) as u32, vec![event]));
    }
    let threads = vec![thread(0, "main"), thread(1, "left"), thread(2, "right")];
    let mut made = trace(Property::Assert, fault("assertion", "assertion `0` failed", 50), threads, all);
    made.sources = BTreeMap::from([("long.c".into(), (1..=50).map(|n| (n, format!("line {n};"))).collect())]);
    made
}

/// Two threads that undo each other's work: a stem of two steps, a cycle of four.
pub fn lasso() -> Trace {
    let steps = vec![
        step(0, 0, 1, vec![Event::Spawn { child: 1 }]),
        step(1, 0, 5, vec![write("turns", 8, 0, 1)]),
        step(2, 0, 10, vec![write("flag", 16, 0, 1)]),
        step(3, 1, 20, vec![write("flag", 16, 1, 2)]),
        step(4, 1, 21, vec![write("turns", 8, 1, 1)]),
        step(5, 1, 22, vec![write("flag", 16, 2, 0)]),
    ];
    let threads = vec![thread(0, "main"), thread(1, "other")];
    let mut made =
        trace(Property::Termination, fault("non-termination", "non-terminating run", 10), threads, steps);
    let script = |thread| ScheduleStep { thread, choices: vec![], escape: false };
    made.script =
        ReplayScript::Machine { steps: [0, 0, 0, 1, 1, 1].map(script).to_vec(), settings: BTreeMap::new() };
    made.cycle = Some(Cycle { script: 2, step: Some(2) });
    made
}

/// A Boolean program: a shared variable, locals of two threads, one call.
pub fn boolean() -> Trace {
    let local = |thread: u64, height: u64, n: u64| ((thread + 1) << 40) | (height << 20) | n;
    let bit = |path: &str, address: u64, old: Option<u64>, new: u64| Event::Write {
        path: path.into(),
        old: old.map(|old| old.to_string()),
        new: new.to_string(),
        order: None,
        location: Some(Location::new(address, 1)),
        from: None,
    };
    let mut steps = vec![
        step(0, 0, 1, vec![bit("x", 0, None, 0), bit("main::seen", local(0, 1, 0), None, 1)]),
        step(1, 0, 8, vec![Event::Spawn { child: 1 }, bit("T1 worker::mine", local(1, 1, 0), None, 0)]),
        step(
            2,
            1,
            12,
            vec![Event::Note { text: "calls raise".into() }, bit("raise::step", local(1, 2, 0), None, 1)],
        ),
        step(3, 1, 20, vec![bit("x", 0, Some(0), 1)]),
        step(4, 1, 21, vec![Event::Note { text: "returns from raise".into() }]),
        step(
            5,
            0,
            9,
            vec![Event::Fault {
                code: "assertion".into(),
                message: "the assertion fails: assert(!x)".into(),
            }],
        ),
    ];
    for (step, frames) in steps.iter_mut().zip([1, 1, 2, 2, 1, 1]) {
        step.frames = Some(frames);
    }
    let threads = vec![thread(0, "main"), thread(1, "worker")];
    let mut made =
        trace(Property::Assert, fault("assertion", "the assertion fails: assert(!x)", 9), threads, steps);
    made.script = ReplayScript::Bp {
        max_threads: Some(2),
        error_label: "SLIC_ERROR".into(),
        globals: vec![false],
        threads: vec![vec![true]],
        steps: vec![],
    };
    made
}

/// A thread transition system: a broadcast moves a thread that takes no step.
pub fn transitions() -> Trace {
    let passive = |transition, thread, passive: &[(u32, u32)]| TransitionStep {
        transition,
        thread: Some(thread),
        passive: passive.to_vec(),
    };
    let at = |variable: u64, path: &str, old: &str, new: &str| Event::Write {
        path: path.into(),
        old: Some(old.into()),
        new: new.into(),
        order: None,
        location: Some(Location::new(variable, 1)),
        from: None,
    };
    let steps = vec![
        step(0, 0, 2, vec![at(1, "local", "0", "1"), at(0, "shared", "0", "1")]),
        step(1, 0, 3, vec![at(1, "local", "1", "2")]),
    ];
    let threads = vec![thread(0, "initial 0"), thread(1, "initial 7")];
    let mut made =
        trace(Property::Target, fault("target-covered", "the target 1|2 is covered", 3), threads, steps);
    made.script = ReplayScript::Tts {
        initial: "0|0,7".into(),
        target: "1|2".into(),
        shared: 0,
        threads: vec![0, 7],
        steps: vec![passive(0, 0, &[]), passive(1, 0, &[(1, 9)])],
    };
    made
}

/// No step, no thread.
pub fn empty() -> Trace {
    let mut made = long(2);
    (made.steps, made.threads, made.fault.thread) = (vec![], vec![], None);
    made
}

/// What a program could contain that a browser must not take for markup.
pub const NASTY: &str = "</script><script>document.title='owned'</script><!-- <img src=x onerror=\"document.title='owned'\"> ' &amp; \u{2028} \u{202e}";

/// Such text in every place that has text.
pub fn nasty() -> Report {
    let mut made = long(4);
    let nasty = || NASTY.to_string();
    let events = vec![
        write(NASTY, 8, 0, 1),
        Event::Output { text: nasty() },
        Event::Note { text: nasty() },
        Event::Lock { lock: nasty(), path: nasty(), location: None },
        Event::Fault { code: "assertion".into(), message: nasty() },
    ];
    made.steps[3] = TraceStep {
        library_call: Some(nasty()),
        place: Some(Place::new(NASTY, 3, 1).in_function(NASTY)),
        locks_held: vec![nasty()],
        ..step(3, 0, 3, events)
    };
    made.threads[0].name = nasty();
    made.fault.message = nasty();
    made.fault.place = Some(Place::new(NASTY, 3, 1).in_function(NASTY));
    made.sources.insert(nasty(), BTreeMap::from([(3, nasty())]));
    let blocked = BlockedThread {
        thread: 0,
        call: nasty(),
        waits_for: nasty(),
        owner: Some(1),
        owner_took_it_at: Some(Place::new(NASTY, 3, 1)),
        place: Some(Place::new(NASTY, 3, 1)),
        stack: vec![],
        locks_held: vec![nasty()],
    };
    let mut deadlock = made.clone();
    deadlock.property = Property::Deadlock;
    deadlock.fault.details =
        FaultDetails::Deadlock { scope: DeadlockScope::Global, blocked: vec![blocked], cycle: vec![0] };
    let mut report = violated(made);
    report.add_trace(deadlock);
    report.rows.push(PropertyResult::unknown(Property::Invariant(nasty()), NASTY));
    report.assumptions.add(Assumption::Other(nasty()));
    report.bounds.other.push(nasty());
    report.reached = Some(Reached { warnings: vec![nasty()], ..Reached::default() });
    report
}
