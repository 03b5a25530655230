//! The equivalence classes of executions of every program under `tests/programs/{safe,unsafe}/stateless`, counted by
//! brute force and compared with `tests/programs/classes.txt`. `BLESS=1` writes that table anew; read what changed.
//!
//! The verdicts in the headers are compared as well, and the number after `preemptions:` in `// why:` is the fewest with
//! which a violation shows.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use raddle_conformance::concurrent::{Classes, classes};
use raddle_conformance::{Expected, Program, programs};
use raddle_machine::{Machine, Settings};
use raddle_stateless::{Bound, Merge, Points};
use raddle_trace::{Budget, Property, Silent};

const MOST_CONFIGURATIONS: usize = 400_000;

const HEADER: &str = "\
# Equivalence classes of executions (Mazurkiewicz traces), without spurious wake-ups, by brute force:
# program, complete classes, blocked classes, violated properties with the fewest preemptions that show them.
# `cut`: some execution ends with a memory fault and is in no class. Written by `BLESS=1 cargo test -p raddle-driver
# --test classes`.
";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn stateless_programs() -> Vec<Program> {
    let mut all = Vec::new();
    for kind in ["safe", "unsafe"] {
        let found = programs(&corpus().join(kind).join("stateless")).unwrap_or_else(|e| panic!("{e}"));
        all.extend(found.into_iter().map(|p| Program { name: format!("{kind}/stateless/{}", p.name), ..p }));
    }
    all
}

fn machine(program: &Program) -> Machine {
    let defines = program.expectation.options.iter().filter_map(|o| o.strip_prefix("-D")).map(String::from);
    machine_of(&program.path, defines.collect())
}

/// The machine whose executions are counted.
fn machine_of(path: &Path, defines: Vec<String>) -> Machine {
    let options = raddle_clang::compile::CompileOptions { defines, ..Default::default() };
    let loaded = raddle_clang::load::load(&[path.to_path_buf()], &options, &Default::default());
    let mut loaded = loaded.unwrap_or_else(|e| panic!("{}: {e}", path.display())).program;
    raddle_analysis::mark_visible(&mut loaded);
    let settings = Settings {
        fuse_alone: false,
        go_on_after_assertion: true,
        spurious_wakeups: false,
        ..Settings::default()
    };
    Machine::new(Arc::new(loaded), settings).expect("small globals")
}

fn count(program: &Program) -> Classes {
    let found = classes(&machine(program), MOST_CONFIGURATIONS);
    found.unwrap_or_else(|| panic!("{}: more partial traces than {MOST_CONFIGURATIONS}", program.name))
}

fn row(program: &Program, found: &Classes) -> String {
    let violated = found.violated.iter().map(|(word, least)| format!(" {word}={least}"));
    let cut = if found.cut { " cut" } else { "" };
    let name = &program.name;
    let row = format!(
        "{name:<50} {:>5} {:>5} {}{cut}",
        found.complete,
        found.blocked,
        violated.collect::<String>()
    );
    row.trim_end().to_string()
}

/// What the stateless engine sees and brute force does not, or the other way round.
fn unlike_the_engine(program: &Program, found: &Classes) -> Vec<String> {
    let mut out = Vec::new();
    let machine = machine(program);
    let properties = vec![Property::Assert, Property::Deadlock, Property::Locks, Property::Memsafety];
    let config = raddle_stateless::Config::new(properties);
    let seen = raddle_stateless::explore(&machine, &config, &Budget::default(), &mut Silent, &mut ());
    let name = &program.name;
    let (complete, blocked) = (seen.executions as usize, seen.blocked as usize);
    // What comes after a memory fault is in no class of brute force.
    if !found.cut && (complete, blocked) != (found.complete, found.blocked) {
        let expected = (found.complete, found.blocked);
        out.push(format!("{name}: the engine sees {complete} and {blocked} classes, there are {expected:?}"));
    }
    if seen.twice > 0 || seen.compared != seen.executions + seen.blocked {
        out.push(format!("{name}: {} classes were explored twice", seen.twice));
    }
    let bound = Bound {
        preemptions: 6,
        max_events: u64::MAX,
        until_violation: true,
        merge: Merge::Classes,
        points: Points::All,
    };
    let few = raddle_stateless::explore_bounded(
        &machine,
        &config,
        &bound,
        &Budget::default(),
        &mut Silent,
        &mut |_, _| {},
    );
    let least = few.found.iter().map(|(_, preemptions)| *preemptions as u32).min();
    if least != found.violated.values().min().copied() {
        out.push(format!(
            "{name}: the engine finds a violation with {least:?} preemptions: {:?}",
            found.violated
        ));
    }
    out
}

/// What the header says and the classes do not show, or the other way round.
fn disagreements(program: &Program, found: &Classes) -> Vec<String> {
    let mut out = Vec::new();
    let rows = &program.expectation.rows;
    let expected = |word: &str| rows.get(word) == Some(&Expected::Violated);
    for word in rows.keys().filter(|w| *w != "race") {
        if expected(word) != found.violated.contains_key(word.as_str()) {
            out.push(format!("{}: {word} is not as expected", program.name));
        }
    }
    for word in found.violated.keys().filter(|w| !expected(w)) {
        out.push(format!("{}: {word} is violated", program.name));
    }
    let text = std::fs::read_to_string(&program.path).expect("it was read before");
    let why = text.lines().find(|line| line.starts_with("// why:")).unwrap_or_default();
    let said = why.split_once("preemptions: ").map(|(_, n)| n.trim().parse().expect("a number"));
    let least = found.violated.values().min().copied();
    if said != least {
        out.push(format!("{}: the header says {said:?} preemptions, there are {least:?}", program.name));
    }
    out
}

#[test]
fn classes_of_the_corpus() {
    let (mut table, mut wrong) = (String::from(HEADER), Vec::new());
    for program in stateless_programs() {
        let found = count(&program);
        writeln!(table, "{}", row(&program, &found)).expect("to memory");
        wrong.extend(disagreements(&program, &found));
        wrong.extend(unlike_the_engine(&program, &found));
    }
    let golden = corpus().join("classes.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &table).expect("the table can be written");
    }
    let known = std::fs::read_to_string(&golden).unwrap_or_default();
    wrong.extend(table.lines().filter(|l| !known.lines().any(|k| k == *l)).map(|l| format!("new: {l}")));
    wrong.extend(known.lines().filter(|k| !table.lines().any(|l| l == *k)).map(|k| format!("old: {k}")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Families of programs whose number of classes is known for every size.
#[test]
fn classes_of_the_families() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/stateless");
    let table = std::fs::read_to_string(folder.join("counts.txt")).expect("the table of counts");
    let mut checked = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (Some(name), Some(size), Some(count)) = (words.next(), words.next(), words.next()) else {
            panic!("not a name and two numbers: {line}");
        };
        let machine = machine_of(&folder.join(format!("{name}.c")), vec![format!("N={size}")]);
        let config = raddle_stateless::Config::new(vec![Property::Assert]);
        let seen = raddle_stateless::explore(&machine, &config, &Budget::default(), &mut Silent, &mut ());
        let expected: u64 = count.parse().expect("a number");
        assert_eq!((seen.executions, seen.blocked, seen.twice), (expected, 0, 0), "{name} {size}");
        checked += 1;
    }
    assert!(checked >= 20);
}
