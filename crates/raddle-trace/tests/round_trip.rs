//! Traces and reports survive writing and reading; anything else is refused with the right kind of error, and
//! nothing makes the reader panic.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use raddle_trace::*;
use std::collections::BTreeMap;

fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,6}", "\\PC{0,8}", Just("q->slot[3].len".to_string())]
}

fn place() -> impl Strategy<Value = Place> {
    (word(), any::<u32>(), any::<u32>(), proptest::option::of(word()))
        .prop_map(|(file, line, column, function)| Place { file, line, column, function })
}

fn event(threads: u32) -> impl Strategy<Value = Event> {
    let optional = || proptest::option::of(word());
    let location = || {
        let bytes = (any::<u64>(), any::<u32>()).prop_map(|(address, length)| Location { address, length });
        proptest::option::of(bytes)
    };
    // The step itself always exists.
    let from = || proptest::option::of(Just(0));
    prop_oneof![
        (word(), word(), optional(), location(), from()).prop_map(|(path, value, order, location, from)| {
            Event::Read { path, value, order, location, from }
        }),
        (word(), optional(), word(), optional(), location(), from()).prop_map(
            |(path, old, new, order, location, from)| Event::Write { path, old, new, order, location, from }
        ),
        (word(), optional()).prop_map(|(text, result)| Event::LibraryCall { text, result }),
        (word(), word(), location()).prop_map(|(lock, path, location)| Event::Lock { lock, path, location }),
        (word(), word(), location()).prop_map(|(lock, path, location)| Event::Unlock {
            lock,
            path,
            location
        }),
        (0..threads).prop_map(|child| Event::Spawn { child }),
        (0..threads).prop_map(|child| Event::Join { child }),
        Just(Event::ThreadEnd),
        (proptest::option::of(any::<i64>()), word()).prop_map(|(code, how)| Event::ProcessExit { code, how }),
        word().prop_map(|text| Event::Output { text }),
        (word(), word()).prop_map(|(text, value)| Event::Choice { text, value }),
        (word(), proptest::option::of(0..threads))
            .prop_map(|(waits_for, owner)| Event::Blocked { waits_for, owner }),
        (word(), word()).prop_map(|(what, how)| Event::Wake { what, how }),
        word().prop_map(|what| Event::Signal { what }),
        Just(Event::AtomicBegin),
        Just(Event::AtomicEnd),
        (word(), any::<u64>()).prop_map(|(path, size)| Event::Allocate { path, size }),
        word().prop_map(|path| Event::Free { path }),
        word().prop_map(|text| Event::AssumeFailed { text }),
        (word(), word()).prop_map(|(code, message)| Event::Fault { code, message }),
        word().prop_map(|text| Event::Note { text }),
    ]
}

fn access(threads: u32) -> impl Strategy<Value = Box<Access>> {
    (
        0..threads,
        any::<bool>(),
        proptest::option::of(word()),
        any::<bool>(),
        any::<u64>(),
        proptest::collection::vec(place(), 0..3),
        proptest::collection::vec(word(), 0..3),
    )
        .prop_map(|(thread, write, order, volatile, size, stack, locks_held)| {
            let place = stack.first().cloned();
            Box::new(Access { thread, write, order, size, place, stack, locks_held, step: None, volatile })
        })
}

fn details(threads: u32) -> impl Strategy<Value = FaultDetails> {
    let blocked =
        (0..threads, word(), word(), proptest::option::of(0..threads), proptest::option::of(place()))
            .prop_map(|(thread, call, waits_for, owner, place)| BlockedThread {
                thread,
                call,
                waits_for,
                owner,
                owner_took_it_at: place.clone(),
                place,
                stack: vec![],
                locks_held: vec!["m".into()],
            });
    prop_oneof![
        Just(FaultDetails::None),
        (word(), proptest::option::of(place()), access(threads), access(threads)).prop_map(
            |(object, declared, first, second)| FaultDetails::Race { object, declared, first, second }
        ),
        (proptest::collection::vec(blocked, 0..3), any::<bool>()).prop_map(|(blocked, global)| {
            let scope = if global { DeadlockScope::Global } else { DeadlockScope::Local };
            let cycle = blocked.iter().map(|thread| thread.thread).collect();
            FaultDetails::Deadlock { scope, blocked, cycle }
        }),
        (word(), proptest::option::of(place()), proptest::option::of(0..threads)).prop_map(
            |(object, allocated, freed_by)| FaultDetails::Memory {
                object,
                freed: allocated.clone(),
                allocated,
                freed_by
            }
        ),
    ]
}

fn trace() -> impl Strategy<Value = Trace> {
    (1u32..5).prop_flat_map(|threads| {
        let step = (
            0..threads,
            proptest::option::of(place()),
            proptest::option::of(word()),
            proptest::collection::vec(event(threads), 0..4),
            proptest::collection::vec(word(), 0..3),
        );
        let schedule = (0..threads, proptest::collection::vec(any::<u64>(), 0..3), any::<bool>())
            .prop_map(|(thread, choices, escape)| ScheduleStep { thread, choices, escape });
        let transition = (
            any::<u64>(),
            proptest::option::of(0..threads),
            proptest::collection::vec((0..threads, any::<u32>()), 0..3),
        )
            .prop_map(|(transition, thread, passive)| TransitionStep { transition, thread, passive });
        let boolean = (0..threads, any::<u32>(), proptest::collection::vec(any::<bool>(), 0..3))
            .prop_map(|(thread, successor, choices)| BooleanStep { thread, successor, choices });
        let script = prop_oneof![
            (
                proptest::collection::vec(schedule, 0..6),
                proptest::collection::btree_map(word(), word(), 0..3)
            )
                .prop_map(|(steps, settings)| ReplayScript::Machine { steps, settings }),
            (
                proptest::option::of(any::<u64>()),
                word(),
                proptest::collection::vec(any::<bool>(), 0..4),
                proptest::collection::vec(proptest::collection::vec(any::<bool>(), 0..3), 0..3),
                proptest::collection::vec(boolean, 0..6)
            )
                .prop_map(|(max_threads, error_label, globals, threads, steps)| {
                    ReplayScript::Bp { max_threads, error_label, globals, threads, steps }
                }),
            (
                word(),
                any::<u32>(),
                proptest::collection::vec(any::<u32>(), 0..4),
                proptest::collection::vec(transition, 0..6)
            )
                .prop_map(|(text, shared, threads, steps)| ReplayScript::Tts {
                    initial: text.clone(),
                    target: text,
                    shared,
                    threads,
                    steps
                }),
        ];
        (
            proptest::collection::vec(step, 0..6),
            details(threads),
            script,
            word(),
            proptest::option::of(place()),
            any::<u128>(),
        )
            .prop_map(move |(steps, details, script, text, place, hash)| Trace {
                tool_version: tool_version().into(),
                program: ProgramIdentity {
                    inputs: vec![InputFile {
                        path: text.clone(),
                        hash: ContentHash(hash),
                        flags: vec![text.clone()],
                        generated: place.as_ref().map(|place| raddle_trace::GeneratedSource {
                            text: text.clone(),
                            includes: place.file.clone(),
                            hash: ContentHash(hash),
                            called: text.clone(),
                        }),
                    }],
                    data_model: "LP64".into(),
                    optimize: "0".into(),
                    defines: vec!["N=2".into()],
                    standard: Some("c11".into()),
                    ir_fingerprint: ContentHash(hash).to_string(),
                    ..ProgramIdentity::default()
                },
                property: Property::Ltl("G p".into()),
                fault: Fault {
                    code: "race".into(),
                    message: text,
                    place: place.clone(),
                    thread: Some(0),
                    stack: place.into_iter().collect(),
                    details,
                },
                threads: (0..threads)
                    .map(|id| ThreadInfo {
                        id,
                        name: format!("t{id}"),
                        parent: id.checked_sub(1),
                        start_function: "f".into(),
                        created_at: None,
                    })
                    .collect(),
                steps: steps
                    .into_iter()
                    .enumerate()
                    .map(|(index, (thread, place, library_call, events, locks_held))| TraceStep {
                        index: 3 * index as u64,
                        thread,
                        place,
                        library_call,
                        events,
                        locks_held,
                        frames: (index % 2 == 0).then_some(2),
                    })
                    .collect(),
                script,
                why: Vec::new(),
                cycle: None,
                sources: BTreeMap::from([("a.c".into(), BTreeMap::from([(7, "x = 1;".into())]))]),
            })
    })
}

fn one_trace() -> Trace {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    loop {
        let found = trace().new_tree(&mut runner).unwrap().current();
        if found.steps.len() > 2 && found.threads.len() > 1 {
            return found;
        }
    }
}

proptest! {
    #[test]
    fn a_trace_survives(original in trace()) {
        prop_assert_eq!(read_json(&write_json(&original)), Ok(original));
    }

    #[test]
    fn a_report_survives(traces in proptest::collection::vec(trace(), 0..3), sentence in word()) {
        let mut report = Report { traces, ..Report::default() };
        report.rows.push(PropertyResult::bounded(Property::Assert, &sentence));
        report.assumptions.add(Assumption::NoAddressReuse);
        report.assumptions.add(Assumption::DataModel("LP64".into()));
        report.assumptions.add(Assumption::Other(sentence.clone()));
        report.bounds.schedules = Some(100);
        report.bounds.other.push(sentence);
        report.stats.set("wall-ms", 12u64);
        report.stats.set("executions", 3u64);
        report.stats.set("rate", 0.5);
        prop_assert_eq!(read_report(&write_report(&report)), Ok(report.clone()));
        match read_traces(&write_report(&report)) {
            Ok(traces) => prop_assert_eq!(traces, report.traces),
            Err(error) => prop_assert!(report.traces.is_empty() && error.kind == ReadErrorKind::NoTrace),
        }
    }

    #[test]
    fn arbitrary_text_is_refused_without_panic(text in "\\PC{0,60}") {
        prop_assert!(read_json(&text).is_err());
    }

    #[test]
    fn a_damaged_byte_never_panics(original in trace(), position in any::<prop::sample::Index>(), byte in 32u8..127) {
        let mut bytes = write_json(&original).into_bytes();
        let position = position.index(bytes.len());
        bytes[position] = byte;
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = read_json(&text);
        }
    }
}

#[test]
fn every_proper_prefix_is_truncated() {
    let text = write_json(&one_trace());
    let body = text.trim_end();
    for end in (0..body.len()).filter(|end| body.is_char_boundary(*end)) {
        assert_eq!(
            read_json(&body[..end]).unwrap_err().kind,
            ReadErrorKind::Truncated,
            "prefix of {end} bytes"
        );
    }
}

#[test]
fn each_kind_of_bad_input_has_its_own_error() {
    let good = write_json(&one_trace());
    let kind = |text: &str| read_json(text).unwrap_err().kind;
    assert_eq!(kind("int main(void) { return 0; }"), ReadErrorKind::NotJson);
    assert_eq!(kind("{}"), ReadErrorKind::OtherFormat);
    assert_eq!(kind(&write_report(&Report::default())), ReadErrorKind::OtherFormat);
    assert_eq!(
        kind(&good.replace("\"format-version\": 2", "\"format-version\": 99")),
        ReadErrorKind::OtherVersion
    );
    assert_eq!(kind(&good.replace("\"steps\"", "\"stops\"")), ReadErrorKind::WrongShape);
    assert_eq!(kind(&"[".repeat(100_000)), ReadErrorKind::WrongShape);
    assert_eq!(kind(&format!("{{\"x\":{}", "[".repeat(100_000))), ReadErrorKind::Truncated);
    let no_trace = read_traces(&write_report(&Report::default())).unwrap_err();
    assert_eq!(no_trace.kind, ReadErrorKind::NoTrace);
}

#[test]
fn contradictions_are_refused_by_name() {
    let refused = |change: &dyn Fn(&mut Trace), expected: &str| {
        let mut trace = one_trace();
        change(&mut trace);
        let error = read_json(&write_json(&trace)).unwrap_err();
        assert_eq!(error.kind, ReadErrorKind::Inconsistent);
        assert!(error.message.contains(expected), "{error}");
    };
    refused(&|t| t.steps[1].thread = 77, "step 3 names thread 77");
    refused(&|t| t.steps[1].index = 0, "step 0 is out of order");
    refused(&|t| t.threads[1].id = 0, "thread 0 is in the thread table twice");
    refused(&|t| t.threads[0].parent = Some(40), "the parent of thread 0 names thread 40");
    refused(&|t| t.fault.thread = Some(9), "the fault names thread 9");
    refused(
        &|t| {
            let steps = vec![ScheduleStep { thread: 8, choices: vec![], escape: false }];
            t.script = ReplayScript::Machine { steps, settings: BTreeMap::new() };
        },
        "position 0 of the replay script names thread 8",
    );
    refused(&|t| t.cycle = Some(Cycle { script: 0, step: Some(1) }), "names step 1");
    refused(
        &|t| {
            t.script = ReplayScript::Machine { steps: Vec::new(), settings: BTreeMap::new() };
            t.cycle = Some(Cycle { script: 99, step: None });
        },
        "begins at position 99",
    );
    refused(
        &|t| {
            t.script = ReplayScript::Bp {
                max_threads: None,
                error_label: String::new(),
                globals: Vec::new(),
                threads: Vec::new(),
                steps: Vec::new(),
            };
            t.cycle = Some(Cycle { script: 0, step: None });
        },
        "a script of another kind",
    );
}

#[test]
fn cycles_survive_and_earlier_versions_are_read() {
    let mut trace = one_trace();
    let earlier = write_json(&trace).replace("\"format-version\": 2", "\"format-version\": 1");
    assert_eq!(read_json(&earlier), Ok(trace.clone()));
    let steps = vec![ScheduleStep { thread: 0, choices: vec![], escape: false }];
    trace.script = ReplayScript::Machine { steps, settings: BTreeMap::new() };
    for cycle in [Cycle { script: 0, step: Some(trace.steps[1].index) }, Cycle { script: 1, step: None }] {
        trace.cycle = Some(cycle);
        assert_eq!(read_json(&write_json(&trace)), Ok(trace.clone()));
    }
}

/// Traces of earlier versions have neither locations nor reads-from; a writer that does not exist, or comes later, is
/// refused.
#[test]
fn reads_from() {
    let mut trace = one_trace();
    let read = |from| Event::Read {
        path: "x".into(),
        value: "0".into(),
        order: None,
        location: Some(Location::new(0x1000, 4)),
        from,
    };
    let (first, second) = (trace.steps[0].index, trace.steps[1].index);
    trace.steps[1].events = vec![read(Some(first))];
    let text = write_json(&trace);
    assert_eq!(read_json(&text), Ok(trace.clone()));
    let old = text
        .replace("\"location\": \"0x1000+4\",", "")
        .replace(&format!("\"from\": {first}"), "\"other\": 1");
    assert!(
        old != text
            && matches!(
                &read_json(&old).unwrap().steps[1].events[..],
                [Event::Read { location: None, from: None, .. }]
            )
    );
    for wrong in [second + 1, trace.steps[2].index] {
        trace.steps[1].events = vec![read(Some(wrong))];
        assert_eq!(read_json(&write_json(&trace)).unwrap_err().kind, ReadErrorKind::Inconsistent);
    }
    assert_eq!(read_json(&text.replace("0x1000+4", "4096")).unwrap_err().kind, ReadErrorKind::WrongShape);
}
