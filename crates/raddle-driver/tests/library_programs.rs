//! C programs of a folder (`RADDLE_FOLDER`), with the library's models: the stateless engine against brute force. Finds of
//! programs for which no proof is claimed (`varies`) are told, but are none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use raddle_conformance::concurrent::{Bounds, Form, FormEvent, brute_force, classes, form_hash};
use raddle_ir::{FunctionId, Program, Register};
use raddle_machine::{EncodeOptions, Machine, Settings, Signature, State, ThreadIndex};
use raddle_stateless::{
    Bound, Bounded, Config, Event, Explored, Listener, Merge, explore, explore_bounded, explore_in_parallel,
};
use raddle_trace::{Budget, Property, Silent};

const EXACT: EncodeOptions =
    EncodeOptions { rename: false, yielded: false, dead_registers: None, leaks: false };
const RENAMED: EncodeOptions = EncodeOptions { rename: true, ..EXACT };
struct Live(raddle_analysis::Liveness);

impl raddle_machine::Liveness for Live {
    fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool {
        if called {
            self.0.is_live_behind_call(function, pc, register)
        } else {
            self.0.is_live_at(function, pc, register)
        }
    }
}

const STATES: usize = 40_000;
const CONFIGURATIONS: usize = 15_000;

fn load(path: &Path) -> Result<Arc<Program>, String> {
    let options = raddle_clang::compile::CompileOptions::default();
    let loaded = raddle_clang::load::load(&[path.to_path_buf()], &options, &Default::default());
    let mut loaded = loaded.map_err(|e| e.to_string())?.program;
    raddle_analysis::mark_visible(&mut loaded);
    Ok(Arc::new(loaded))
}

fn settings(spurious: bool) -> Settings {
    Settings { fuse_alone: false, spurious_wakeups: spurious, ..Settings::default() }
}

#[derive(Default)]
struct Seen {
    forms: BTreeMap<u128, bool>,
    twice: u64,
    machine: Option<(Machine, Live)>,
    last_states: BTreeSet<u128>,
}

fn form_of(events: &[Event]) -> Form {
    let mut form = Form::default();
    let numbers: BTreeMap<usize, u32> = events.iter().map(|e| (e.slot, e.thread)).collect();
    for event in events {
        let clock = numbers.iter().map(|(slot, number)| (*number, event.past.get(*slot)));
        form.entry(event.thread).or_default().push(FormEvent {
            answers: event.answers.0.iter().map(|(answer, _)| *answer).collect(),
            clock: clock.filter(|(_, count)| *count > 0).collect(),
        });
    }
    form
}

impl Listener for Seen {
    fn execution(&mut self, path: &raddle_stateless::Path, state: &State, blocked: bool) {
        if let Some((machine, live)) = &self.machine {
            let mut copy = state.clone();
            let on = (0..copy.thread_count())
                .any(|i| machine.readiness(&mut copy, ThreadIndex(i as u32)).can_step());
            if !on {
                let options = EncodeOptions { dead_registers: Some(live), ..RENAMED };
                self.last_states.insert(machine.fingerprint(state, &options));
            }
        }
        self.twice += self.forms.insert(form_hash(&form_of(&path.events)), blocked).is_some() as u64;
    }
}

fn properties(races: bool) -> Vec<Property> {
    use Property::*;
    let mut properties = vec![Assert, Deadlock, Memsafety, Overflow, Locks];
    properties.extend(races.then_some(Race));
    properties
}

fn pair(signature: &Signature) -> Option<((u32, u32), (u32, u32))> {
    let Signature::Race { first, second } = signature else { return None };
    let (a, b) = ((first.function.0, first.pc), (second.function.0, second.pc));
    Some((a.min(b), a.max(b)))
}

fn words(found: &Explored) -> BTreeSet<&'static str> {
    found.found.iter().map(|f| f.signature.property().word()).collect()
}

/// Finds, each with whether a proof was claimed.
fn compare(program: &Arc<Program>, spurious: bool) -> (Vec<String>, &'static str) {
    let mut out = Vec::new();
    let plain = Machine::new(program.clone(), settings(spurious)).expect("small");
    let going = Settings { go_on_after_assertion: true, ..settings(spurious) };
    let machine = Machine::new(program.clone(), going.clone()).expect("small");
    let Some(reached) = brute_force(&plain, &EXACT, Bounds::default(), false, STATES) else {
        return (out, "large");
    };
    let budget = &|| Budget { timeout: Some(std::time::Duration::from_secs(10)), ..Budget::default() };
    let config = |races| Config { max_events: 400, ..Config::new(properties(races)) };
    let with = explore(&machine, &config(true), &budget(), &mut Silent, &mut Seen::default());
    if with.cut > 0 || with.stopped.is_some() {
        return (out, "cut");
    }
    let lenient = if with.varies.is_some() { "(varies) " } else { "" };
    let mut violated = words(&with);
    let race = violated.remove("race");
    let faulty = reached.violated.contains("memsafety");
    if !violated.is_subset(&reached.violated) {
        out.push(format!("EXTRA violated: engine {violated:?}, brute {:?}", reached.violated));
    }
    let missing = if faulty { !violated.contains("memsafety") } else { violated != reached.violated };
    if missing && !reached.unsupported {
        out.push(format!("{lenient}violated: engine {violated:?}, brute {:?}", reached.violated));
    }
    if !faulty && !reached.unsupported {
        if reached.race_by_state && !race {
            out.push(format!("{lenient}race by state only"));
        }
        let pairs: BTreeSet<_> = with.found.iter().filter_map(|f| pair(&f.signature)).collect();
        if let Some(p) = reached.racing.iter().find(|p| !pairs.contains(p)) {
            out.push(format!("{lenient}racing pair {p:?} of {:?}, engine {pairs:?}", reached.racing));
        }
    }
    if with.unsupported.is_empty() == reached.unsupported && !faulty {
        out.push(format!("{lenient}unsupported {}", reached.unsupported));
    }
    if with.twice > 0 {
        out.push(format!("{lenient}twice with races {}", with.twice));
    }
    // Without races.
    let listening = Machine::new(program.clone(), going.clone()).expect("small");
    let mut seen = Seen {
        machine: Some((listening, Live(raddle_analysis::Liveness::new(program.clone())))),
        ..Seen::default()
    };
    let without = explore(&machine, &config(false), &budget(), &mut Silent, &mut seen);
    if without.stopped.is_some() || without.cut > 0 {
        return (out, "cut");
    }
    if words(&without) != violated && !faulty {
        out.push(format!("{lenient}without races {:?}, with {violated:?}", words(&without)));
    }
    if seen.twice > 0 || without.twice > 0 {
        out.push(format!("{lenient}twice {} {}", seen.twice, without.twice));
    }
    let budget_of_three = Budget { workers: 3, ..Budget::default() };
    match explore_in_parallel(program, &going, &config(false), &budget_of_three, &mut Silent) {
        Err(_) => out.push("workers: too large".into()),
        Ok(several) => {
            let told = |e: &Explored| {
                let found: Vec<String> =
                    e.found.iter().map(|f| format!("{:?} {:?}", f.signature, f.moves)).collect();
                (e.executions, e.blocked, e.twice, found)
            };
            if told(&several) != told(&without) {
                out.push(format!("{lenient}workers: {:?} {:?}", told(&several), told(&without)));
            }
            if several.varies.is_some() != without.varies.is_some() {
                out.push("workers: varies".to_string());
            }
        }
    }
    let mut stuck = true;
    if without.awaits == 0
        && !spurious
        && !faulty
        && !reached.unsupported
        && let Some(known) = classes(&machine, CONFIGURATIONS)
        && !known.cut
    {
        stuck = known.stuck;
        let engine: BTreeSet<u128> = seen.forms.keys().copied().collect();
        let brute: BTreeSet<u128> = known.classes.keys().copied().collect();
        if engine != brute {
            let missing = brute.difference(&engine).count();
            let extra = engine.difference(&brute).count();
            out.push(format!("{lenient}classes: {} brute, {missing} missing, {extra} extra", brute.len()));
        } else {
            let mut cheapest = BTreeMap::new();
            let bound = Bound {
                preemptions: u64::MAX,
                max_events: u64::MAX,
                until_violation: false,
                merge: Merge::Classes,
            };
            let mut listener = |events: &[Event], cost: u64| {
                cheapest.insert(form_hash(&form_of(events)), cost);
            };
            let few =
                explore_bounded(&machine, &config(false), &bound, &budget(), &mut Silent, &mut listener);
            let brute: BTreeMap<u128, u64> =
                known.classes.iter().map(|(hash, class)| (*hash, class.preemptions as u64)).collect();
            if few.stopped.is_none() && cheapest != brute {
                out.push(format!("{lenient}preemptions of classes differ"));
            }
        }
    }
    if !faulty
        && !reached.unsupported
        && (!stuck || without.awaits > 0 || spurious)
        && let live = Live(raddle_analysis::Liveness::new(program.clone()))
        && let options = (EncodeOptions { dead_registers: Some(&live), ..RENAMED })
        && let Some(all) = brute_force(&machine, &options, Bounds::default(), false, STATES)
        && all.last_states != seen.last_states
    {
        let missing = all.last_states.difference(&seen.last_states).count();
        let extra = seen.last_states.difference(&all.last_states).count();
        out.push(format!(
            "{lenient}last states: {} brute, {missing} missing, {extra} extra",
            all.last_states.len()
        ));
    }
    // Fewest preemptions.
    let bound = Bound { preemptions: 2, max_events: 2_000_000, until_violation: false, merge: Merge::States };
    let few = explore_bounded(&machine, &config(false), &bound, &budget(), &mut Silent, &mut |_, _| {});
    if few.cut == 0 && few.stopped.is_none() {
        let least = |few: &Bounded, word: &str| {
            let found = few.found.iter().filter(|(f, _)| f.signature.property().word() == word);
            found.map(|(_, cost)| *cost).min()
        };
        for n in 0..=2 {
            let bounds = Bounds { preemptions: Some(n), ..Bounds::default() };
            let Some(within) = brute_force(&plain, &EXACT, bounds, false, 4 * STATES) else { break };
            for word in ["assert", "deadlock", "memsafety", "overflow", "locks"] {
                let ours = least(&few, word).is_some_and(|least| least <= n);
                let theirs = within.violated.contains(word);
                if ours != theirs {
                    out.push(format!("PREEMPTIONS {word} within {n}: engine {ours}, brute {theirs}"));
                }
            }
        }
    }
    if race && !faulty {
        let bound =
            Bound { preemptions: 6, max_events: 500_000, until_violation: true, merge: Merge::Classes };
        let only = Config { max_events: 400, ..Config::new(vec![Property::Race]) };
        let few = explore_bounded(&machine, &only, &bound, &budget(), &mut Silent, &mut |_, _| {});
        if few.found.is_empty() && !few.more {
            out.push("race: not with few preemptions".into());
        }
    }
    (out, "compared")
}

#[test]
#[ignore = "minutes"]
fn programs_of_a_folder() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs/unsafe/stateless");
    let folder = std::env::var("RADDLE_FOLDER").unwrap_or(own.into());
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
    let mut wrong = 0;
    for file in files {
        let program = match load(&file) {
            Ok(program) => program,
            Err(e) => {
                println!("{}: LOAD {e}", file.display());
                continue;
            }
        };
        for spurious in [false, true] {
            let text = std::fs::read_to_string(&file).unwrap();
            if spurious && !text.contains("wait(&c") && !text.contains("wait(&d") {
                continue;
            }
            let outcome = std::panic::catch_unwind(|| compare(&program, spurious));
            match outcome {
                Err(_) => {
                    wrong += 1;
                    println!("{}: PANIC", file.display());
                }
                Ok((finds, how)) => {
                    *tally.entry(how).or_default() += 1;
                    for find in finds {
                        wrong += !find.starts_with("(varies)") as u64;
                        println!("{} {}: {find}", file.display(), if spurious { "spurious" } else { "" });
                    }
                }
            }
        }
    }
    println!("{tally:?}");
    assert_eq!(wrong, 0);
}
