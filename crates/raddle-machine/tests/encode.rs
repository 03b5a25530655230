//! The canonical encoding: what it merges, what it keeps apart, and that merged states have the same futures.

mod support;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use raddle_machine::{
    EncodeOptions, Liveness, Machine, Outcome, RunEnd, Scene, Settings, State, Status, ThreadIndex, Watch,
};
use support::{Random, machine, machine_with, random_step, ready_threads};

const RENAME: EncodeOptions =
    EncodeOptions { rename: true, yielded: false, dead_registers: None, leaks: true };
const EXACT: EncodeOptions =
    EncodeOptions { rename: false, yielded: false, dead_registers: None, leaks: true };

fn encoded(machine: &Machine, state: &State, options: &EncodeOptions) -> Vec<u8> {
    let mut out = Vec::new();
    machine.encode(state, options, &mut out);
    out
}

/// The state after the threads with these numbers have stepped.
fn after(machine: &Machine, numbers: &[u32]) -> State {
    let (mut state, _) = machine.start(&mut ());
    for number in numbers {
        let index = state.thread_numbered(*number).expect("it was created");
        assert!(machine.readiness(&mut state, index).can_step(), "thread {number} is ready");
        machine.step(&mut state, index, Some(0), &mut ());
    }
    state
}

/// Main starts threads 2 and 3, which run `a` and `b`, and goes.
fn two(globals: &str, a: &str, b: &str) -> String {
    format!(
        "{globals}
function a(r0: ptr) {{
bb0:
{a}
    return
}}
function b(r0: ptr) {{
bb0:
{b}
    return
}}
function main() {{
bb0:
    r0: i32 = call @start(@a, null)
    r0: i32 = call @start(@b, null)
    kernel.thread_exit
    unreachable
}}"
    )
}

const PUSH: &str = "
    r1: ptr = kernel.alloc 16:i64, 1:i64
    kernel.begin
    load.ptr r2 = [&head]
    store.ptr [r1] = r2
    store.ptr [&head] = r1
    kernel.end";

#[test]
fn allocation_order_does_not_matter() {
    // Each thread pushes a node: the list is 2-3 or 3-2 by names, and the same by renaming.
    let machine = machine(&two("global head: ptr", PUSH, PUSH));
    let (x, y) = (after(&machine, &[1, 2, 3]), after(&machine, &[1, 3, 2]));
    assert_eq!(x.threads().filter(|(_, t)| t.status == Status::Finished).count(), 3);
    assert_ne!(encoded(&machine, &x, &EXACT), encoded(&machine, &y, &EXACT));
    // The nodes were allocated by different functions: the sites differ in a list, but not in the same function.
    assert_ne!(encoded(&machine, &x, &RENAME), encoded(&machine, &y, &RENAME));
    let text = two("global head: ptr", PUSH, "").replace("call @start(@b", "call @start(@a");
    let machine = support::machine(&text);
    let (x, y) = (after(&machine, &[1, 2, 3]), after(&machine, &[1, 3, 2]));
    assert_ne!(encoded(&machine, &x, &EXACT), encoded(&machine, &y, &EXACT));
    assert_eq!(encoded(&machine, &x, &RENAME), encoded(&machine, &y, &RENAME));
    assert_eq!(machine.fingerprint(&x, &RENAME), machine.fingerprint(&y, &RENAME));
    assert_ne!(machine.fingerprint(&x, &EXACT), machine.fingerprint(&y, &EXACT));
}

#[test]
fn independent_steps_commute() {
    let machine = machine(&two("global x: i32\nglobal y: i32", "store.i32 [&x] = 1", "store.i32 [&y] = 2"));
    let (x, y) = (after(&machine, &[1, 2, 3]), after(&machine, &[1, 3, 2]));
    for options in [EXACT, RENAME] {
        assert_eq!(encoded(&machine, &x, &options), encoded(&machine, &y, &options));
        assert_eq!(encoded(&machine, &x, &options), encoded(&machine, &x.clone(), &options));
    }
    assert_ne!(encoded(&machine, &x, &RENAME), encoded(&machine, &after(&machine, &[1, 2]), &RENAME));
}

#[test]
fn values_matter() {
    let stores = |n: u32| two("global x: i32", &format!("store.i32 [&x] = {n}"), "");
    let at = |n: u32| {
        let machine = machine(&stores(n));
        encoded(&machine, &after(&machine, &[1, 2]), &RENAME)
    };
    assert_ne!(at(1), at(2));
    assert_eq!(at(2), at(2));
}

#[test]
fn a_global_that_is_as_at_first_is_untouched() {
    let there = "store.i32 [&x] = 1\nstore.i32 [&x] = 5\nload.i32 r1 = [&x]\n";
    let machine = machine(&two("global x: i32 = 5", there, "load.i32 r1 = [&x]\nload.i32 r1 = [&x]"));
    // Thread 2 has written x and put it back.
    let (mut x, mut y) = (after(&machine, &[1]), after(&machine, &[1, 2, 2]));
    // Apart from the place of thread 2, nothing.
    let length = |s: &State| encoded(&machine, s, &RENAME).len();
    assert_eq!(length(&x), length(&y));
    machine.step(&mut x, ThreadIndex(1), None, &mut ());
    machine.step(&mut y, ThreadIndex(1), None, &mut ());
    assert!(length(&x) > length(&after(&machine, &[1])));
}

#[test]
fn dangling_pointers_stay_apart() {
    // p and q dangle: to one object, or to two.
    let program = |q: &str| {
        machine(&format!(
            "global p: ptr\nglobal q: ptr\nfunction main() {{\nbb0:
    r0: ptr = kernel.alloc 4:i64, 1:i64
    r1: ptr = kernel.alloc 4:i64, 1:i64
    pointer_add.i64 r2 = r0, 0:i64 + 2
    store.ptr [&p] = r0
    store.ptr [&q] = {q}
    copy r2: ptr = null
    kernel.free r0
    kernel.free r1
    copy r0: ptr = null
    copy r1: ptr = null
    kernel.yield
    kernel.thread_exit\n    unreachable\n}}"
        ))
    };
    let at = |q: &str| {
        let machine = program(q);
        let (mut state, _) = machine.start(&mut ());
        machine.step(&mut state, ThreadIndex(0), None, &mut ());
        encoded(&machine, &state, &RENAME)
    };
    assert_ne!(at("r0"), at("r1"));
    assert_ne!(at("r0"), at("r2"));
}

#[test]
fn leaks_are_counted_by_site() {
    let leak = "    r1: ptr = kernel.alloc 8:i64, 0:i64\n    store.i32 [r1] = 1\n    copy r1: ptr = null\n";
    let body = |n: usize| two("global x: i32", &format!("{}store.i32 [&x] = 1", leak.repeat(n)), "");
    let at = |n: usize| {
        let machine = machine(&body(n));
        let state = after(&machine, &[1, 2]);
        encoded(&machine, &state, &RENAME).len()
    };
    assert!(at(1) < at(2) && at(2) < at(3));
    // The same leak, in threads of one function, in either order; with different contents.
    let body = "r1: ptr = kernel.alloc 8:i64, 0:i64\nkernel.begin\nload.i32 r2 = [&x]\nadd.i32 r2 = r2, 1
store.i32 [&x] = r2\nstore.i32 [r1] = r2\nkernel.end";
    let machine = machine(&two("global x: i32", body, "").replace("call @start(@b", "call @start(@a"));
    let (x, y) = (after(&machine, &[1, 2, 3]), after(&machine, &[1, 3, 2]));
    assert_eq!(encoded(&machine, &x, &RENAME), encoded(&machine, &y, &RENAME));
}

#[test]
fn exposed_names_are_kept() {
    let body = format!("{PUSH}\npointer_to_int.i64.i64 r3 = r1\ncopy r3: i64 = 0:i64\nkernel.yield");
    let machine = machine(&two("global head: ptr", &body, "").replace("call @start(@b", "call @start(@a"));
    let (x, y) = (after(&machine, &[1, 2, 3]), after(&machine, &[1, 3, 2]));
    assert!(x.memory().exposed);
    assert_eq!(encoded(&machine, &x, &RENAME), encoded(&machine, &x, &EXACT));
    assert_ne!(encoded(&machine, &x, &RENAME), encoded(&machine, &y, &RENAME));
}

#[test]
fn conversions_are_noticed() {
    let exposes = |body: &str| {
        let text = format!(
            "global p: ptr\nglobal q: 16\nfunction long(r0: i64) -> 1 {{\nbb0:\nreturn r0\n}}
function main() {{\nbb0:\n    r0: ptr = kernel.alloc 16:i64, 1:i64\n    store.ptr [&p] = r0\n{body}
    kernel.yield\n    kernel.thread_exit\n    unreachable\n}}"
        );
        let machine = machine(&text);
        let (mut state, _) = machine.start(&mut ());
        machine.step(&mut state, ThreadIndex(0), None, &mut ());
        assert!(state.end().is_none(), "{:?}", state.end());
        state.memory().exposed
    };
    let quiet = [
        "copy r1: ptr = r0\nload.ptr r1 = [&p]\nstore.ptr [r1] = r0",
        "memory_copy [&q] = [&p], 8\nmemory_copy [&q+8] = [&q], 8",
        "copy r1: i64 = 5:i64\ncopy r2: ptr = r1",
        "store.i64 [&p] = 7",
        "r1: i64 = call @long(3:i64)",
        "memory_set [&p] = 0, 8",
        "eq.ptr r1 = r0, &q",
        "memory_copy [&q] = [&p], 8\nmemory_copy [r0] = [&q], 8",
    ];
    let loud = [
        "copy r1: i64 = r0",
        "load.i64 r1 = [&p]",
        "load.i8 r1 = [&p+3]",
        "memory_copy [&q] = [&p], 7",
        "memory_copy [&q+1] = [&p], 8",
        "store.i8 [&p] = 7",
        "store.ptr [&q+4] = r0 align 1",
        "r1: i64 = call @long(r0)",
        "memory_set [&p] = 0, 3",
        "memory_set [&p+3] = 0, 5",
        "ult.ptr r1 = r0, &q",
        "copy r3: i1 = 1:i1\nselect r1: i64 = r3, r0, r0",
        "kernel.output 1:i32, &p, 8:i64",
    ];
    for body in quiet {
        assert!(!exposes(body), "{body}");
    }
    for body in loud {
        assert!(exposes(body), "{body}");
    }
}

#[test]
fn options() {
    // Nobody is alone: a yield is a step.
    let machine = machine(&two("global x: i32", "kernel.yield\nstore.i32 [&x] = 1", "kernel.yield"));
    let mut state = after(&machine, &[1]);
    let yielded = EncodeOptions { yielded: true, ..RENAME };
    let before = (encoded(&machine, &state, &RENAME), encoded(&machine, &state, &yielded));
    machine.step(&mut state, ThreadIndex(1), None, &mut ());
    assert!(state.thread(ThreadIndex(1)).yielded);
    assert_ne!(before.1, encoded(&machine, &state, &yielded));
    struct Nothing;
    impl Liveness for Nothing {
        fn is_live(&self, _: raddle_ir::FunctionId, _: u32, _: bool, _: raddle_ir::Register) -> bool {
            false
        }
    }
    let body = |n: u32| two("global x: i32", &format!("copy r1: i32 = {n}\nstore.i32 [&x] = 1"), "");
    let at = |n: u32, options: &EncodeOptions| {
        let machine = support::machine(&body(n));
        encoded(&machine, &after(&machine, &[1]), options)
    };
    assert_ne!(at(3, &RENAME), at(4, &RENAME));
    let dead = EncodeOptions { dead_registers: Some(&Nothing), ..RENAME };
    assert_eq!(at(3, &dead), at(4, &dead));
}

// -- random programs -----------------------------------------------------------------------------------------------

/// A few threads, two of which may run one function, that allocate, link, free, lock, write and choose.
fn random_program(random: &mut Random) -> String {
    let functions = 1 + random.one_in(3) as usize;
    let mut text = String::from(
        "global p: ptr\nglobal q: ptr\nglobal x: i32\nglobal y: 12\nglobal m: i64\nglobal t: ptr thread_local\n",
    );
    for f in 0..functions {
        writeln!(text, "function f{f}(r0: ptr) {{\nbb0:\n    alloca r1 = 16\n    copy r2: ptr = null")
            .unwrap();
        text += "    copy r4: i32 = 0:i32\n    copy r3: ptr = null\n";
        for i in 0..2 + random.below(4) {
            let place = *random.pick(&["p", "q"]);
            let line = match random.below(26) {
                0..=3 => format!(
                    "r2: ptr = kernel.alloc {}:i64, {}:i64\n    store.ptr [r2] = null",
                    *random.pick(&[8, 16]),
                    random.below(2)
                ),
                4 | 5 => format!("store.ptr [&{place}] = r2"),
                6 | 7 => format!("load.ptr r2 = [&{place}]"),
                8 => format!("store.ptr [&{place}] = r1"),
                9 => format!("call @lock(&m)\n    load.ptr r3 = [&{place}]\n    store.ptr [r1] = r3\n    call @unlock(&m)"),
                10 => "load.i32 r4 = [&x]\n    add.i32 r4 = r4, 1\n    store.i32 [&x] = r4".into(),
                11 => format!("memory_copy [r1] = [&{place}], 8"),
                12 => "r4: i32 = kernel.choose 2:i64\n    store.i32 [&y+4] = r4".into(),
                13 => format!("load.ptr r3 = [&{place}]\n    eq.ptr r5 = r2, r3\n    zero_extend.i1.i32 r4 = r5\n    store.i32 [&x] = r4"),
                14 => {
                    let (a, b) = (i * 2 + 1, i * 2 + 2);
                    format!(
                        "ne.ptr r5 = r2, null\n    branch r5, bb{a}, bb{b}\nbb{a}:\n    {}\n    jump bb{b}\nbb{b}:",
                        if random.one_in(2) { "kernel.free r2" } else { "store.ptr [r2] = r2" }
                    )
                }
                15 => "memory_copy [&y] = [&y+4], 8".replace("copy", "move"),
                16 => "kernel.yield".into(),
                17 => "kernel.atomic_begin\n    load.i32 r4 = [&x]\n    store.i32 [&x] = 7\n    kernel.atomic_end".into(),
                18..=20 => {
                    // A choice that leaves nothing but a greater count.
                    let (a, b) = (i * 2 + 1, i * 2 + 2);
                    format!(
                        "r4: i32 = kernel.choose 2:i64\n    eq.i32 r5 = r4, 1\n    copy r4: i32 = 0:i32\n    \
                         branch r5, bb{a}, bb{b}\nbb{a}:\n    r3: ptr = kernel.alloc 8:i64, 1:i64\n    \
                         kernel.free r3\n    copy r3: ptr = null\n    copy r5: i1 = 0:i1\n    jump bb{b}\nbb{b}:"
                    )
                }
                21 => "pointer_add.i64 r2 = r2, 0:i64 + 4\n    copy r6: ptr = r2".into(),
                22 => {
                    // Zero bytes, determinate or not.
                    let (a, b) = (i * 2 + 1, i * 2 + 2);
                    format!(
                        "r4: i32 = kernel.choose 2:i64\n    eq.i32 r5 = r4, 1\n    branch r5, bb{a}, bb{b}\nbb{a}:\n    \
                         store.i64 [r1] = 0\n    jump bb{b}\nbb{b}:\n    copy r4: i32 = 0:i32\n    \
                         copy r5: i1 = 0:i1"
                    )
                }
                23 | 24 => {
                    let (a, b) = (i * 2 + 1, i * 2 + 2);
                    format!("load.i32 r4 = [r1]\n    eq.i32 r5 = r4, 0\n    branch r5, bb{a}, bb{b}\nbb{a}:\n    jump bb{b}\nbb{b}:")
                }
                _ => "copy r2: ptr = null".into(),
            };
            writeln!(text, "    {line}").unwrap();
        }
        // Blocks ascend but have gaps: number them anew.
        text += "    return\n}\n";
    }
    text += "function main() {\nbb0:\n";
    for _ in 0..2 + random.below(2) {
        writeln!(text, "    r0: i32 = call @start(@f{}, null)", random.below(functions)).unwrap();
    }
    text += if random.one_in(2) {
        "    kernel.thread_exit\n    unreachable\n}\n"
    } else {
        "    r2: ptr = kernel.alloc 8:i64, 0:i64\n    store.ptr [&p] = r2\n    kernel.process_exit 0:i32, 0:i32\n    unreachable\n}\n"
    };
    renumber_blocks(&text)
}

fn renumber_blocks(text: &str) -> String {
    let mut out = String::new();
    for function in text.split_inclusive("\n}\n") {
        let mut labels: Vec<&str> =
            function.lines().filter(|l| l.starts_with("bb")).map(|l| l.trim_end_matches(':')).collect();
        labels.sort_by_key(|l| l[2..].parse::<u32>().unwrap());
        let mut function = function.to_string();
        // New numbers are never greater than the old ones, so ascending order confuses nothing.
        for (i, label) in labels.iter().enumerate() {
            for end in [":", ",", "\n"] {
                function = function.replace(&format!("{label}{end}"), &format!("bb{i}{end}"));
            }
        }
        out += &function;
    }
    out
}

/// What a step shows, by numbers of threads and without names of objects.
#[derive(Default)]
struct Shown(Vec<String>);

impl Watch for Shown {
    fn access(&mut self, s: &Scene, e: &raddle_machine::AccessEvent) {
        let value = |v: raddle_machine::Value| {
            let named = e.width.is_none_or(|w| w == raddle_ir::Width::Pointer);
            if named && !raddle_machine::pointer::is_integer(v.bits) {
                "pointer".into()
            } else {
                format!("{v:?}")
            }
        };
        let offset = raddle_machine::pointer::offset(e.pointer);
        let line = format!("{} {:?} {:?} {offset} {}", s.thread.number, s.at, e.kind, value(e.old));
        self.0.push(format!("{line} {}", value(e.new)));
    }
}

fn seen(machine: &Machine, state: &mut State, outcome: &Outcome) -> String {
    let mut out = String::new();
    for fault in &outcome.faults {
        let number = state.thread(fault.thread).number;
        write!(out, "{number} {:?} {:?} {} ", fault.kind, fault.at, fault.message).unwrap();
    }
    write!(out, "{:?} {} ", outcome.blocked.as_ref().map(|b| b.kind), outcome.escaped).unwrap();
    let end = state.end().map(|e| match e {
        RunEnd::Unsupported { reason, .. } => reason.clone(),
        other => format!("{other:?}"),
    });
    write!(out, "{end:?}").unwrap();
    if let Some(deadlock) = machine.deadlock(state) {
        write!(out, " deadlock {} {}", deadlock.global, deadlock.waits.len()).unwrap();
    }
    out
}

fn ready_numbers(machine: &Machine, state: &mut State) -> Vec<u32> {
    let mut numbers: Vec<u32> =
        ready_threads(machine, state).iter().map(|t| state.thread(*t).number).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn equal_encodings_have_equal_futures() {
    let (mut merged, mut states, mut exact_states) = (0, 0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed + 5);
        let text = random_program(&mut random);
        let settings = Settings { fuse_alone: seed % 2 == 0, ..Settings::default() };
        let machine = machine_with(&text, settings);
        let mut groups: BTreeMap<Vec<u8>, Vec<(Vec<u8>, State)>> = BTreeMap::new();
        for _ in 0..60 {
            let (mut state, _) = machine.start(&mut ());
            loop {
                let key = encoded(&machine, &state, &RENAME);
                let exact = encoded(&machine, &state, &EXACT);
                assert_eq!(encoded(&machine, &state.clone(), &RENAME), key);
                let group = groups.entry(key).or_default();
                if group.len() < 4 && group.iter().all(|(e, _)| *e != exact) {
                    group.push((exact, state.clone()));
                }
                if random_step(&machine, &mut state, &mut random, &mut ()).is_none() {
                    break;
                }
            }
        }
        states += groups.len();
        exact_states += groups.values().map(|g| g.len()).sum::<usize>();
        for (key, group) in &groups {
            if group.len() < 2 {
                continue;
            }
            merged += 1;
            for round in 0..3 {
                let mut schedule = Random::new(seed * 10 + round);
                let mut runs: Vec<State> = group.iter().map(|(_, s)| s.clone()).collect();
                for _ in 0..60 {
                    let ready = ready_numbers(&machine, &mut runs[0]);
                    if ready.is_empty() {
                        break;
                    }
                    let (number, choice) = (*schedule.pick(&ready), schedule.next() % 2);
                    let mut results = HashSet::new();
                    for state in &mut runs {
                        assert_eq!(ready_numbers(&machine, state), ready, "{text}");
                        let index = state.thread_numbered(number).unwrap();
                        let mut shown = Shown::default();
                        let outcome = machine.step(state, index, Some(choice), &mut shown);
                        let seen = seen(&machine, state, &outcome);
                        results.insert((seen, shown.0, encoded(&machine, state, &RENAME)));
                    }
                    assert_eq!(results.len(), 1, "seed {seed}\n{text}\n{results:#?}\n{key:?}");
                }
                let waiting = |s: &mut State| ready_numbers(&machine, s);
                let last: HashSet<Vec<u32>> = runs.iter_mut().map(waiting).collect();
                assert_eq!(last.len(), 1);
            }
        }
    }
    assert!(merged > 1000, "{merged} groups of {states} ({exact_states} without renaming)");
}

#[test]
fn fingerprints_tell_encodings_apart() {
    let mut seen: HashMap<u128, Vec<u8>> = HashMap::new();
    let mut low: HashSet<u64> = HashSet::new();
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let machine = machine(&random_program(&mut random));
        for _ in 0..20 {
            let (mut state, _) = machine.start(&mut ());
            while random_step(&machine, &mut state, &mut random, &mut ()).is_some() {
                let encoding = encoded(&machine, &state, &EXACT);
                let fingerprint = machine.fingerprint(&state, &EXACT);
                assert_eq!(*seen.entry(fingerprint).or_insert(encoding.clone()), encoding);
                low.insert(fingerprint as u64);
            }
        }
    }
    assert!(seen.len() > 500 && low.len() == seen.len());
}

/// A dictionary as simple as can be.
#[derive(Default)]
struct Numbers {
    numbers: HashMap<Vec<u8>, u32>,
    all: Vec<Vec<u8>>,
}

impl raddle_machine::components::Dictionary for Numbers {
    fn number(&mut self, bytes: &[u8]) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(bytes.to_vec()).or_insert(next);
        if number == next {
            self.all.push(bytes.to_vec());
        }
        number
    }
    fn read(&mut self, number: u32, out: &mut Vec<u8>) {
        out.extend(&self.all[number as usize]);
    }
}

#[test]
fn components_are_the_encoding_and_rebuild_the_state() {
    use raddle_machine::components::{Components, Composer};
    for seed in 0..400 {
        let mut random = Random::new(seed + 77);
        let text = random_program(&mut random);
        let machine = machine_with(&text, Settings { fuse_alone: seed % 2 == 0, ..Settings::default() });
        for options in [EXACT, RENAME] {
            let mut composer = Composer::new(&machine, options, Numbers::default());
            let mut by_vector: HashMap<Vec<u32>, Vec<u8>> = HashMap::new();
            for _ in 0..10 {
                let (mut state, _) = machine.start(&mut ());
                let mut known: Option<(State, Components)> = None;
                while !(options.rename && state.memory().exposed) {
                    let (mut vector, mut again) = (Vec::new(), Vec::new());
                    let (mut parts, mut other) = (Components::default(), Components::default());
                    composer.compose(&state, None, &mut again, &mut other);
                    let base = known.as_ref().map(|(s, c)| (s, c));
                    composer.compose(&state, base, &mut vector, &mut parts);
                    assert_eq!(vector, again, "with a base and without");
                    let key = encoded(&machine, &state, &options);
                    assert_eq!(*by_vector.entry(vector.clone()).or_insert(key.clone()), key, "{text}");
                    let mut rebuilt_parts = Components::default();
                    let mut rebuilt = composer.rebuild(&vector, &mut rebuilt_parts);
                    assert_eq!(encoded(&machine, &rebuilt, &options), key, "rebuilt\n{text}");
                    again.clear();
                    composer.compose(&rebuilt, None, &mut again, &mut other);
                    assert_eq!(vector, again);
                    assert_eq!(
                        ready_numbers(&machine, &mut state.clone()),
                        ready_numbers(&machine, &mut rebuilt)
                    );
                    known = Some((state.clone(), parts));
                    // Go on with either.
                    if random.one_in(2) {
                        state = rebuilt.clone();
                        known = Some((rebuilt, rebuilt_parts));
                    }
                    if random_step(&machine, &mut state, &mut random, &mut ()).is_none() {
                        break;
                    }
                }
            }
        }
    }
}
