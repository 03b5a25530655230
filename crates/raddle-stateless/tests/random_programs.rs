//! Random concurrent programs: the engine sees what brute force over all states sees.
//!
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins.

mod makers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{
    Bounds, Concurrent, Form, FormEvent, brute_force, classes, compare_all, form_hash, random_program,
    setting,
};
use raddle_ir::Program;
use raddle_machine::{EncodeOptions, Machine, Settings, Signature, State, ThreadIndex};
use raddle_stateless::{
    Bound, Bounded, Config, Event, Explored, Listener, Merge, Path, Points, explore, explore_bounded,
    explore_in_parallel,
};
use raddle_trace::{Budget, Property, Silent};

const STATES: usize = 3000;
/// Partial traces of a program whose classes are compared.
const CONFIGURATIONS: usize = 4000;
const EXACT: EncodeOptions =
    EncodeOptions { rename: false, yielded: false, dead_registers: None, leaks: false };

/// Bounds up to here are compared with brute force by states.
const MOST_PREEMPTIONS: u64 = 3;
const RENAMED: EncodeOptions = EncodeOptions { rename: true, ..EXACT };

#[derive(Clone, Debug, Default)]
struct Tally {
    programs: u64,
    too_large: u64,
    cut: u64,
    faulty: u64,
    unsupported: u64,
    executions: u64,
    blocked: u64,
    fruitless: u64,
    races: u64,
    /// Programs for which no proof is claimed, and those of them where a class or a violation is missing.
    varies: u64,
    incomplete: u64,
    doubled: u64,
    counted: u64,
    classes: u64,
    levels: u64,
    racing_pairs: u64,
    least: u64,
    last_states: u64,
    /// Programs without a race, violations found below the first race, and events, at synchronisation and at all points.
    without_race: u64,
    at_synchronisation: u64,
    events: (u64, u64),
    violated: std::collections::BTreeMap<&'static str, u64>,
}

fn settings() -> Settings {
    Settings { fuse_alone: false, local_limit: 2000, spurious_wakeups: false, ..Settings::default() }
}

/// The classes of the executions that were explored.
#[derive(Default)]
struct Seen {
    forms: BTreeMap<u128, bool>,
    twice: u64,
    /// Who fingerprints the states at their ends, and these.
    machine: Option<Machine>,
    /// Only of those in which nobody can go on, not even by a wake-up that nobody signalled.
    ended: bool,
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
    fn execution(&mut self, path: &Path, state: &State, blocked: bool) {
        if let Some(machine) = &self.machine
            && !(self.ended && can_go_on(machine, state))
        {
            self.last_states.insert(machine.fingerprint(state, &RENAMED));
        }
        let form = form_of(&path.events);
        if std::env::var("RADDLE_PATHS").is_ok() {
            let name = |e: &raddle_stateless::Event| format!("{}.{}", e.thread, e.place);
            let own: Vec<String> = (0..path.nodes.len())
                .map(|i| format!("{}{:?}", name(path.own(i)), path.nodes[i].kind))
                .collect();
            let all: Vec<String> = path.events.iter().map(name).collect();
            eprintln!("{:x} nodes {} events {}", form_hash(&form) as u32, own.join(" "), all.join(" "));
        }
        self.twice += self.forms.insert(form_hash(&form), blocked).is_some() as u64;
    }
}

fn can_go_on(machine: &Machine, state: &State) -> bool {
    let mut state = state.clone();
    (0..state.thread_count()).any(|i| machine.readiness(&mut state, ThreadIndex(i as u32)).can_step())
}

fn properties(races: bool) -> Vec<Property> {
    use Property::*;
    let mut properties = vec![Assert, Deadlock, Memsafety, Overflow, Locks];
    properties.extend(races.then_some(Race));
    properties
}

fn run(program: &Arc<Program>, races: bool, seen: &mut Seen) -> Explored {
    let settings = Settings { go_on_after_assertion: true, ..settings() };
    let machine = Machine::new(program.clone(), settings).expect("small");
    let config = Config { max_events: 60, ..Config::new(properties(races)) };
    let budget = Budget { timeout: Some(std::time::Duration::from_millis(500)), ..Budget::default() };
    explore(&machine, &config, &budget, &mut Silent, seen)
}

fn compare(program: &Arc<Program>, tally: &mut Tally) -> Result<(), String> {
    let machine = Machine::new(program.clone(), settings()).expect("small");
    let Some(reached) = brute_force(&machine, &EXACT, Bounds::default(), false, STATES) else {
        tally.too_large += 1;
        return Ok(());
    };
    let explored = run(program, true, &mut Seen::default());
    if explored.cut > 0 || explored.stopped.is_some() {
        tally.cut += 1;
        return Ok(());
    }
    tally.programs += 1;
    tally.varies += explored.varies.is_some() as u64;
    tally.executions += explored.executions;
    tally.blocked += explored.blocked;
    tally.fruitless += explored.fruitless;
    let mut violated: BTreeSet<&'static str> =
        explored.found.iter().map(|f| f.signature.property().word()).collect();
    let race = violated.remove("race");
    for word in &violated {
        *tally.violated.entry(word).or_default() += 1;
    }
    tally.races += race as u64;
    // No proof is claimed: then something may be missing, but nothing may be there that is not. The same for a wait that
    // looks at its flag only behind its lock; the library's own look at everything.
    let lenient = explored.varies.is_some() || makers::waits_with_a_lock(program);
    let missing = violated != reached.violated || reached.race_by_state && !race;
    if lenient && missing && violated.is_subset(&reached.violated) {
        tally.incomplete += 1;
        return Ok(());
    }
    if reached.violated.contains("memsafety") {
        tally.faulty += 1;
        if !violated.contains("memsafety") || !violated.is_subset(&reached.violated) {
            return Err(format!("faulty: engine {violated:?}, brute force {:?}", reached.violated));
        }
        return Ok(());
    }
    if reached.unsupported && violated.is_subset(&reached.violated) {
        tally.unsupported += 1;
        return Ok(());
    }
    if violated != reached.violated {
        return Err(format!("violated: engine {violated:?}, brute force {:?}", reached.violated));
    }
    if reached.race_by_state && !race && !reached.unsupported {
        return Err("race by state: the engine has none".into());
    }
    let pairs: BTreeSet<_> = explored.found.iter().filter_map(|f| racing_pair(&f.signature)).collect();
    if let Some(pair) = reached.racing.iter().find(|pair| !pairs.contains(pair))
        && !lenient
    {
        return Err(format!("racing pair: {pair:?} by state, not by executions, which have {pairs:?}"));
    }
    tally.racing_pairs += reached.racing.len() as u64;
    if explored.unsupported.is_empty() == reached.unsupported {
        return Err(format!("unsupported: brute force {}", reached.unsupported));
    }
    match same_classes(program, tally) {
        Err(_) if lenient => tally.incomplete += 1,
        other => return other,
    }
    Ok(())
}

fn racing_pair(signature: &Signature) -> Option<((u32, u32), (u32, u32))> {
    let Signature::Race { first, second } = signature else { return None };
    let (a, b) = ((first.function.0, first.pc), (second.function.0, second.pc));
    Some((a.min(b), a.max(b)))
}

/// With wake-ups that nobody signalled: the same violations, and the same states in which nobody can go on.
fn compare_spurious(program: &Arc<Program>, tally: &mut Tally) -> Result<(), String> {
    let settings = Settings { go_on_after_assertion: true, spurious_wakeups: true, ..settings() };
    let machine = Machine::new(program.clone(), settings.clone()).expect("small");
    let Some(reached) = brute_force(&machine, &RENAMED, Bounds::default(), false, STATES) else {
        tally.too_large += 1;
        return Ok(());
    };
    let listening = Machine::new(program.clone(), settings).expect("small");
    let mut seen = Seen { machine: Some(listening), ended: true, ..Seen::default() };
    let config = Config { max_events: 120, ..Config::new(properties(false)) };
    let budget = Budget { timeout: Some(std::time::Duration::from_secs(2)), ..Budget::default() };
    let explored = explore(&machine, &config, &budget, &mut Silent, &mut seen);
    if explored.cut > 0 || explored.stopped.is_some() {
        tally.cut += 1;
        return Ok(());
    }
    tally.programs += 1;
    tally.executions += explored.executions;
    tally.blocked += explored.blocked;
    tally.fruitless += explored.fruitless;
    tally.doubled += explored.twice;
    let violated: BTreeSet<&'static str> =
        explored.found.iter().map(|f| f.signature.property().word()).collect();
    for word in &violated {
        *tally.violated.entry(word).or_default() += 1;
    }
    if explored.varies.is_some() || reached.unsupported || reached.violated.contains("memsafety") {
        tally.varies += 1;
        return Ok(());
    }
    if violated != reached.violated {
        return Err(format!("violated: engine {violated:?}, brute force {:?}", reached.violated));
    }
    if seen.last_states != reached.last_states {
        let (ours, theirs) = (seen.last_states.len(), reached.last_states.len());
        return Err(format!("last states: engine {ours}, brute force {theirs}"));
    }
    tally.last_states += reached.last_states.len() as u64;
    Ok(())
}

/// Every class once, and no other.
fn same_classes(program: &Arc<Program>, tally: &mut Tally) -> Result<(), String> {
    if std::env::var("RADDLE_PATHS").is_ok() {
        eprintln!("run");
    }
    let settings = Settings { go_on_after_assertion: true, ..settings() };
    let machine = Machine::new(program.clone(), settings.clone()).expect("small");
    let listening = Machine::new(program.clone(), settings).expect("small");
    let mut seen = Seen { machine: Some(listening), ..Seen::default() };
    let explored = run(program, false, &mut seen);
    if explored.awaits > 0 || explored.cut > 0 || explored.stopped.is_some() {
        return Ok(());
    }
    // A wait that two independent events disable, each alone, is met twice: by a flag and by a lock. No model has one.
    let doubled = seen.twice > 0 && makers::waits_with_a_lock(program);
    if doubled {
        tally.doubled += 1;
    } else if seen.twice > 0 {
        return Err(format!("twice: {}", seen.twice));
    }
    let Some(known) = classes(&machine, CONFIGURATIONS) else { return Ok(()) };
    if known.cut {
        return Ok(());
    }
    tally.classes += known.classes.len() as u64;
    tally.counted += 1;
    let engine: BTreeSet<u128> = seen.forms.keys().copied().collect();
    let brute: BTreeSet<u128> = known.classes.keys().copied().collect();
    if engine != brute {
        if std::env::var("RADDLE_SHOW").is_ok() {
            for one in brute.difference(&engine) {
                eprintln!("missing {:?}", known.classes[one]);
            }
            for one in brute.intersection(&engine) {
                eprintln!("there {:?}", known.classes[one]);
            }
        }
        let missing = brute.difference(&engine).count();
        let extra = engine.difference(&brute).count();
        return Err(format!("classes: {} by brute force, {missing} missing, {extra} too many", brute.len()));
    }
    // A section that was stuck is taken back by the engine, not by the states.
    if !known.stuck
        && let Some(reached) = brute_force(&machine, &RENAMED, Bounds::default(), false, STATES)
    {
        if seen.last_states != reached.last_states {
            let (ours, theirs) = (seen.last_states.len(), reached.last_states.len());
            return Err(format!("last states: engine {ours}, brute force {theirs}"));
        }
        tally.last_states += reached.last_states.len() as u64;
    }
    if !doubled && explored.blocked != known.blocked as u64 {
        return Err(format!("blocked classes: engine {}, brute force {}", explored.blocked, known.blocked));
    }
    // Several workers see the same, and report the same schedules.
    let config = Config { max_events: 60, ..Config::new(properties(false)) };
    let budget = Budget { workers: 3, ..Budget::default() };
    let several = explore_in_parallel(program, &machine.settings, &config, &budget, &mut Silent)
        .map_err(|e| format!("too large: {e:?}"))?;
    let told = |e: &Explored| {
        let found: Vec<String> = e.found.iter().map(|f| format!("{:?} {:?}", f.signature, f.moves)).collect();
        (e.executions, e.blocked, e.twice, found)
    };
    if told(&several) != told(&explored) {
        return Err(format!("workers: three {:?}, one {:?}", told(&several), told(&explored)));
    }
    // Each class with the fewest preemptions that show it.
    let mut cheapest = BTreeMap::new();
    let bound = Bound {
        preemptions: u64::MAX,
        max_events: u64::MAX,
        until_violation: false,
        merge: Merge::Classes,
        points: Points::All,
    };
    let config = Config { max_events: 60, ..Config::new(vec![Property::Assert, Property::Deadlock]) };
    let mut listener = |events: &[Event], cost: u64| {
        cheapest.insert(form_hash(&form_of(events)), cost);
    };
    let bounded = explore_bounded(&machine, &config, &bound, &Budget::default(), &mut Silent, &mut listener);
    let by_brute_force: BTreeMap<u128, u64> =
        known.classes.iter().map(|(hash, class)| (*hash, class.preemptions as u64)).collect();
    if cheapest != by_brute_force {
        return Err(format!("preemptions: engine {cheapest:?}, brute force {by_brute_force:?}"));
    }
    // The same fewest preemptions if equal states are merged.
    let by_states = Bound { merge: Merge::States, ..bound.clone() };
    let by_states =
        explore_bounded(&machine, &config, &by_states, &Budget::default(), &mut Silent, &mut |_, _| {});
    let least_of = |bounded: &Bounded, word: &str| {
        let found = bounded.found.iter().filter(|(f, _)| f.signature.property().word() == word);
        found.map(|(_, cost)| *cost).min()
    };
    let plain = Machine::new(program.clone(), self::settings()).expect("small");
    let within = |most: u64| {
        let bounds = Bounds { preemptions: Some(most), ..Bounds::default() };
        brute_force(&plain, &EXACT, bounds, false, 20 * STATES).map(|reached| reached.violated)
    };
    let all = [within(MOST_PREEMPTIONS)].into_iter().flatten();
    for violated in all {
        for word in ["assert", "deadlock"] {
            let ours = least_of(&by_states, word).filter(|least| *least <= MOST_PREEMPTIONS);
            let theirs = violated
                .contains(word)
                .then(|| (0..MOST_PREEMPTIONS).find(|n| within(*n).is_some_and(|v| v.contains(word))));
            let theirs = theirs.map(|least| least.unwrap_or(MOST_PREEMPTIONS));
            if ours != theirs {
                return Err(format!(
                    "least preemptions by states: {word} engine {ours:?}, brute force {theirs:?}"
                ));
            }
            tally.least += ours.is_some() as u64;
        }
    }
    for word in ["assert", "deadlock"] {
        let found = bounded.found.iter().filter(|(f, _)| f.signature.property().word() == word);
        let least = found.map(|(_, cost)| *cost).min();
        let brute = known.violated.get(word).map(|least| *least as u64);
        if least != brute && !known.stuck {
            return Err(format!("least preemptions: {word} engine {least:?}, brute force {brute:?}"));
        }
    }
    tally.levels += bounded.levels;
    synchronisation_only(&machine, &bound, tally)
}

/// Preempted at synchronisation only: a race is found with as few preemptions, and without a race everything else is.
fn synchronisation_only(machine: &Machine, bound: &Bound, tally: &mut Tally) -> Result<(), String> {
    let look = |properties: &[Property], merge, points| {
        let config = Config { max_events: 60, ..Config::new(properties.to_vec()) };
        let bound = Bound { merge, points, ..bound.clone() };
        explore_bounded(machine, &config, &bound, &Budget::default(), &mut Silent, &mut |_, _| {})
    };
    let least = |bounded: &Bounded, property: &Property| {
        let found = bounded.found.iter().filter(|(f, _)| f.signature.property() == *property);
        found.map(|(_, cost)| *cost).min()
    };
    let race = [Property::Race];
    let [few, all] = [Points::Synchronisation, Points::All].map(|points| look(&race, Merge::Classes, points));
    if few.cut > 0 || all.cut > 0 {
        return Ok(());
    }
    let [first, of_all] = [&few, &all].map(|b| least(b, &Property::Race));
    if first != of_all {
        return Err(format!(
            "least preemptions of a race: {first:?} at synchronisation, {of_all:?} anywhere"
        ));
    }
    // Below the level of the first race, everything else is found alike.
    let below = |cost: Option<u64>| cost.filter(|cost| first.is_none_or(|first| *cost < first));
    let others = [Property::Assert, Property::Deadlock];
    let [few, all] =
        [Points::Synchronisation, Points::All].map(|points| look(&others, Merge::States, points));
    for property in &others {
        let [few, all] = [&few, &all].map(|b| below(least(b, property)));
        if few != all {
            let word = property.word();
            return Err(format!("least preemptions: {word} {few:?} at synchronisation, {all:?} anywhere"));
        }
        tally.at_synchronisation += few.is_some() as u64;
    }
    tally.without_race += first.is_none() as u64;
    tally.events.0 += few.events;
    tally.events.1 += all.events;
    Ok(())
}

type Maker = fn(&mut Random) -> Concurrent;
type Comparison = fn(&Arc<Program>, &mut Tally) -> Result<(), String>;

fn check(make: Maker, seeds: impl Iterator<Item = u64>) -> Tally {
    check_by(compare, make, seeds)
}

fn check_by(compare: Comparison, make: Maker, seeds: impl Iterator<Item = u64>) -> Tally {
    compare_all(seeds, make, |program, _, tally| compare(&Arc::new(program.program()), tally))
}

#[test]
fn the_engine_agrees_with_brute_force() {
    let tally = check(random_program, 0..200);
    assert!(tally.counted > 100 && tally.classes > 1000, "{tally:#?}");
    assert!(tally.programs > 100 && tally.executions > 1000 && tally.blocked > 10, "{tally:#?}");
    for property in ["assert", "deadlock", "memsafety", "locks"] {
        assert!(tally.violated.contains_key(property), "{tally:#?}");
    }
}

/// What has been found: a thread born inside a section took the section over.
#[test]
fn what_disagreed_once() {
    let tally = check(random_program, [1_000_129].into_iter());
    assert_eq!(tally.programs, 1, "{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn the_engine_agrees_with_brute_force_on_many_programs() {
    let first = setting("RADDLE_SEED", 1000);
    let tally = check(random_program, first..first + setting("RADDLE_PROGRAMS", 10_000));
    println!("{tally:#?}");
}

const NARROW: [(&str, Maker); 4] = [
    ("sections", makers::sections),
    ("frames", makers::frames),
    ("waits", makers::waits),
    ("spins", makers::spins),
];

#[test]
fn narrow_kinds_of_programs() {
    for (kind, make) in NARROW {
        let tally = check(make, 0..60);
        assert!(tally.programs > 30, "{kind}: {tally:#?}");
    }
}

#[test]
fn wake_ups_that_nobody_signalled() {
    let tally = check_by(compare_spurious, makers::conditions, 0..60);
    assert!(tally.programs > 30 && tally.last_states > 20, "{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn many_wake_ups_that_nobody_signalled() {
    let first = setting("RADDLE_SEED", 1000);
    for make in [makers::conditions, makers::waits] {
        let seeds = first..first + setting("RADDLE_PROGRAMS", 2000);
        println!("{:#?}", check_by(compare_spurious, make, seeds));
    }
}

#[test]
#[ignore = "minutes"]
fn narrow_kinds_of_many_programs() {
    let only = std::env::var("RADDLE_KIND").unwrap_or_default();
    for (kind, make) in NARROW.into_iter().filter(|(kind, _)| only.is_empty() || *kind == only) {
        let first = setting("RADDLE_SEED", 0);
        println!("{kind}: {:#?}", check(make, first..first + setting("RADDLE_PROGRAMS", 2000)));
    }
}
