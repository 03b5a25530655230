//! Golden numbers of states: small programs under every combination of reductions.
//!
//! `counts/table.txt` has a line a program and a column a combination: stored states and the ways between them when the
//! search goes on to the end. Every combination must give the verdicts of the search without reductions, and the same
//! number of states in either order of search and with any number of workers.
//!
//! What the compiler makes of a program differs between its versions, so the programs' code lies in `counts/` too. The
//! sources of the same names are in `tests/programs`, where the corpus test compiles them; the verdicts here must be those
//! that their headers expect.
//!
//! `BLESS=1` rewrites the table. To add a program, add a line with its name. The code is compiled when its file is
//! missing; delete it to have it made anew.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_conformance::{Expectation, Expected};
use raddle_explicit::{Config, Explored, Order, explore};
use raddle_ir::{GlobalId, Place, Program};
use raddle_machine::{Expression, ExpressionCode, Machine, Settings};
use raddle_trace::{Budget, Property, Silent, Verdict};

/// A reduction that can be switched off.
struct Switch {
    name: &'static str,
    set: fn(&mut Config, bool),
    /// It has no effect on depth-first search.
    breadth_only: bool,
}

const fn switch(name: &'static str, set: fn(&mut Config, bool)) -> Switch {
    Switch { name, set, breadth_only: false }
}

/// A new reduction is a new line here, or the column `none` is not without it.
const SWITCHES: &[Switch] = &[
    switch("superstep", |c, on| c.superstep = if on { Config::SUPERSTEP } else { 1 }),
    switch("ample", |c, on| c.ample = on),
    switch("symmetry", |c, on| c.symmetry = on),
    Switch { breadth_only: true, ..switch("sleep", |c, on| c.sleep = on) },
    // Implies ample sets.
    switch("patterns", |c, on| (c.patterns, c.ample) = (on, c.ample | on)),
];

/// More states than this are no small program.
const MOST_STATES: u64 = 20_000;

/// A set of switches, by their bits.
#[derive(Clone, Copy)]
struct Combination(usize);

impl Combination {
    /// `none` comes first.
    fn all() -> impl Iterator<Item = Combination> {
        (0..1 << SWITCHES.len()).map(Combination)
    }

    fn name(self) -> String {
        let on: Vec<&str> =
            SWITCHES.iter().enumerate().filter(|(i, _)| self.0 >> i & 1 == 1).map(|(_, s)| s.name).collect();
        if on.is_empty() { "none".into() } else { on.join("+") }
    }

    /// Without those that have no effect on a search in this order.
    fn within(self, order: Order) -> Combination {
        let without = |bits, (i, switch): (usize, &Switch)| {
            if switch.breadth_only && order == Order::Depth { bits & !(1 << i) } else { bits }
        };
        Combination(SWITCHES.iter().enumerate().fold(self.0, without))
    }

    fn apply(self, config: &mut Config) {
        for (i, switch) in SWITCHES.iter().enumerate() {
            (switch.set)(config, self.0 >> i & 1 == 1);
        }
    }
}

/// A program, and how it is checked.
struct Subject {
    program: Arc<Program>,
    settings: Settings,
    properties: Vec<Property>,
}

impl Subject {
    fn new(mut program: Program) -> Subject {
        raddle_analysis::mark_visible(&mut program);
        let mut properties = Property::default_set();
        let mut settings = Settings::default();
        // Invariants that the program registers itself.
        let table = program.globals.iter().position(|g| g.library && g.name == "raddle_invariants");
        if let Some(table) = table {
            let code = ExpressionCode::Registered { table: GlobalId::new(table) };
            settings.invariants.push(Expression { text: "registered".into(), code });
            settings.fuse_alone = false;
            properties.push(Property::Invariant("registered".into()));
        }
        Subject { program: Arc::new(program), settings, properties }
    }

    /// To the end, whatever is violated.
    fn explore(&self, combination: Combination, order: Order, workers: usize) -> Explored {
        self.explore_for(self.properties.clone(), combination, order, workers)
    }

    fn explore_for(
        &self,
        properties: Vec<Property>,
        combination: Combination,
        order: Order,
        workers: usize,
    ) -> Explored {
        let mut config = Config { order, ..Config::new(properties) };
        combination.apply(&mut config);
        let budget = Budget { workers, ..Budget::default() };
        explore(&self.program, &self.settings, &config, &budget, &mut Silent).expect("small")
    }

    /// What is said of each property that is not proved.
    fn verdicts(&self, explored: &Explored) -> String {
        let rows = self.properties.iter().map(|p| (p, verdict(p, explored)));
        let unproved = rows.filter(|(_, verdict)| *verdict != Verdict::Proved);
        let all: Vec<String> = unproved.map(|(p, v)| format!("{}={v}", p.word())).collect();
        if all.is_empty() { "proved".into() } else { all.join(" ") }
    }

    /// Every counterexample happens on the machine.
    fn replay(&self, explored: &Explored) -> Result<(), String> {
        let machine = Machine::new(self.program.clone(), self.settings.clone()).expect("small");
        let finite = explored.discoveries.iter().filter(|d| !matches!(d.property, Property::Invariant(_)));
        for discovery in finite {
            if !support::replays(&machine, discovery) {
                return Err(format!("does not replay: {discovery:?}"));
            }
        }
        Ok(())
    }
}

fn verdict(property: &Property, explored: &Explored) -> Verdict {
    if explored.discoveries.iter().any(|d| d.property == *property) {
        return Verdict::Violated;
    }
    let cut = explored.stopped.is_some() || !explored.unsupported.is_empty() || !explored.troubles.is_empty();
    let fault = explored.memory_fault.is_some() && *property != Property::Memsafety;
    if cut || fault || !explored.wide_choices.is_empty() {
        return Verdict::Unknown;
    }
    if *property == Property::Race && explored.unordered.is_some() {
        return Verdict::Bounded;
    }
    Verdict::Proved
}

/// The line of a program: a cell a combination, then the verdicts.
fn measure(subject: &Subject) -> Result<Vec<String>, String> {
    let mut counts: Vec<(u64, u64)> = Vec::new();
    let mut expected: Option<String> = None;
    for combination in Combination::all() {
        for order in [Order::Breadth, Order::Depth] {
            for workers in [1, 2] {
                let explored = subject.explore(combination, order, workers);
                let how = || format!("{}, {order:?}, {workers} workers", combination.name());
                let found = subject.verdicts(&explored);
                let expected = expected.get_or_insert_with(|| found.clone());
                if found != *expected {
                    return Err(format!("{}: {found}, but without reductions {expected}", how()));
                }
                subject.replay(&explored).map_err(|what| format!("{}: {what}", how()))?;
                if counts.len() == combination.0 {
                    counts.push((explored.states, explored.transitions));
                }
                let (states, _) = counts[combination.within(order).0];
                if explored.states != states {
                    return Err(format!("{}: {} states, not {states}", how(), explored.states));
                }
            }
        }
    }
    // Where nobody asks for races, states without reductions are looked at in a shorter way.
    let fewer: Vec<Property> = subject.properties.iter().filter(|p| **p != Property::Race).cloned().collect();
    let longer = subject.explore(Combination(0), Order::Breadth, 1);
    for workers in [1, 2] {
        let explored = subject.explore_for(fewer.clone(), Combination(0), Order::Breadth, workers);
        if (explored.states, explored.transitions) != counts[0] {
            return Err(format!("without races: {}/{}", explored.states, explored.transitions));
        }
        if let Some(property) = fewer.iter().find(|p| verdict(p, &explored) != verdict(p, &longer)) {
            return Err(format!("without races: {} differs", property.word()));
        }
        subject.replay(&explored).map_err(|what| format!("without races: {what}"))?;
    }
    let (most, _) = counts.iter().max().expect("`none` is a combination");
    if *most > MOST_STATES {
        return Err(format!("{most} states are too many for a small program"));
    }
    let cells = counts.iter().map(|(states, transitions)| format!("{states}/{transitions}"));
    Ok(cells.chain(expected).collect())
}

/// The header of the source expects the same.
fn agrees(verdicts: &str, expectation: &Expectation) -> Result<(), String> {
    let word_of = |property: &str| {
        let said = verdicts.split(' ').find_map(|v| v.strip_prefix(property)?.strip_prefix('='));
        said.unwrap_or("proved").to_string()
    };
    let memory_fault = word_of("memsafety") == "violated";
    for property in ["assert", "race", "deadlock", "memsafety", "overflow", "locks", "invariant"] {
        let said = word_of(property);
        let fits = match expectation.of(property) {
            Expected::Violated => said == "violated",
            // What lies behind a memory fault is not seen.
            Expected::Ok => said == "proved" || memory_fault || said == "bounded",
            Expected::Unknown => said == "unknown",
        };
        if !fits {
            return Err(format!("{property} is {said}, but the source expects otherwise"));
        }
    }
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counts")
}

/// The program's code, as it is kept; compiled if it is missing and `bless` is set.
fn load(name: &str, bless: bool) -> Result<Program, String> {
    let path = folder().join(name).with_extension("ir");
    let readable = |e: std::io::Error| format!("{}: {e}", path.display());
    if bless && !path.exists() {
        std::fs::create_dir_all(path.parent().expect("it has a folder")).map_err(readable)?;
        std::fs::write(&path, compile(name)?).map_err(readable)?;
    }
    let text = std::fs::read_to_string(&path).map_err(readable)?;
    let program = raddle_ir::text::parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    raddle_ir::verify::verify(&program).map_err(|e| format!("{}: {e:?}", path.display()))?;
    Ok(program)
}

fn source(name: &str) -> PathBuf {
    Path::new("../../tests/programs").join(name).with_extension("c")
}

/// Without places in the source: nothing here depends on them. The rest stays as it is.
fn compile(name: &str) -> Result<String, String> {
    let loaded = raddle_clang::load::load(&[source(name)], &Default::default(), &Default::default());
    let mut program = loaded.map_err(|e| e.to_string())?.program;
    for function in &mut program.functions {
        function.place = Place::default();
        function.places.fill(Place::default());
        function.locals.iter_mut().for_each(|local| local.place = Place::default());
    }
    for global in &mut program.globals {
        global.place = Place::default();
    }
    program.files.truncate(1);
    Ok(raddle_ir::text::print(&program))
}

fn check(name: &str, bless: bool) -> Result<Vec<String>, String> {
    let subject = Subject::new(load(name, bless)?);
    let cells = measure(&subject)?;
    let text = std::fs::read_to_string(source(name)).map_err(|e| format!("its source: {e}"))?;
    agrees(cells.last().expect("the verdicts"), &Expectation::parse(&text)?)?;
    Ok(cells)
}

/// Columns of equal width.
fn print(names: &[String], lines: &[Vec<String>]) -> String {
    let mut header: Vec<String> = Combination::all().map(Combination::name).collect();
    header.insert(0, "program".into());
    header.push("verdicts".into());
    let mut rows = vec![header];
    for (name, cells) in names.iter().zip(lines) {
        rows.push(std::iter::once(name).chain(cells).cloned().collect());
    }
    let columns = rows[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|c| rows.iter().filter_map(|r| r.get(c)).map(String::len).max().unwrap_or(0))
        .collect();
    let mut text =
        String::from("# States/transitions of the complete search, by the reductions that are on.\n");
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[test]
fn every_combination_of_reductions_gives_the_same_verdicts_and_the_recorded_counts() {
    check_one_in(3);
}

#[test]
#[ignore = "a minute"]
fn every_combination_gives_the_same_for_all_programs() {
    check_one_in(1);
}

/// With `BLESS=1` all of them, and the table is written anew.
fn check_one_in(every: usize) {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let every = if bless { 1 } else { every };
    let path = folder().join("table.txt");
    let recorded = std::fs::read_to_string(&path).expect("the table");
    let lines = recorded.lines().filter(|l| !l.starts_with('#') && !l.starts_with("program "));
    let mut names: Vec<String> =
        lines.filter_map(|l| Some(l.split_whitespace().next()?.to_string())).collect();
    names.sort();
    names.dedup();
    assert!(names.len() >= 60, "{} programs", names.len());
    let names: Vec<String> = names.into_iter().step_by(every).collect();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Err("not reached".to_string()); names.len()]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((i, name)) = names.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed))
                {
                    let result = check(name, bless);
                    results.lock().expect("nobody panics with it")[i] = result;
                }
            });
        }
    });
    let results = results.into_inner().expect("nobody panics with it");
    let wrong: Vec<String> =
        names.iter().zip(&results).filter_map(|(n, r)| Some(format!("{n}: {}", r.as_ref().err()?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let lines: Vec<Vec<String>> = results.into_iter().flatten().collect();
    let text = print(&names, &lines);
    if bless {
        std::fs::write(&path, text).expect("the table can be written");
        return;
    }
    // The table's columns are as wide as its longest entries.
    let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
    let known: std::collections::HashSet<Vec<String>> = recorded.lines().map(words).collect();
    let differing = text.lines().filter(|line| !known.contains(&words(line)));
    let differing: Vec<String> = differing.map(|line| format!("now      {line}")).collect();
    assert!(
        differing.is_empty(),
        "other counts than recorded (BLESS=1 accepts them):\n{}",
        differing.join("\n")
    );
}
