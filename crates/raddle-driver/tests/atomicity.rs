//! Atomicity types against brute force: no function that is typed atomic has a call, in any run in which it returns, that
//! another thread interrupts by a path of conflicts; and most functions without such a call are typed atomic.
//!
//! The programs of `tests/atomicity` are written by hand, one idea each: after the name, functions that are typed (`atomic`),
//! those that are not and that brute force finds interrupted, and those that are `missed`: neither.
//!
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` say which random programs the long comparison takes (3000 from seed 1).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use raddle_conformance::concurrent::{Interrupted, interrupted_calls, setting};
use raddle_conformance::{Random, called_program, disciplined_program};
use raddle_ir::Program;
use raddle_machine::{Machine, Settings};
use raddle_static::CodePlace;
use raddle_static::atomicity::{Atomicities, FunctionType, atomicities};

/// States of one program, at most.
const MOST_STATES: usize = 150_000;

/// A file that is gone when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        // Tests run beside each other, with programs of the same number.
        static MADE: AtomicU64 = AtomicU64::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("raddle-atomicity-{}-{made}-{name}.c", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn loaded(path: &Path) -> Arc<Program> {
    let loaded = raddle_clang::load::load(&[path.to_path_buf()], &Default::default(), &Default::default());
    let mut program = loaded.unwrap_or_else(|e| panic!("{}: {e}", path.display())).program;
    raddle_analysis::mark_visible(&mut program);
    Arc::new(program)
}

fn searched(program: &Arc<Program>) -> Option<Interrupted> {
    let settings = Settings { fuse_alone: false, go_on_after_assertion: true, ..Settings::default() };
    let machine = Machine::new(program.clone(), settings).expect("small globals");
    interrupted_calls(&machine, MOST_STATES)
}

#[derive(Default, Debug)]
struct Counts {
    programs: usize,
    gave_up: usize,
    too_large: usize,
    functions: usize,
    /// Without an interrupted call, and those that are typed.
    atomic: usize,
    typed: usize,
    /// The same of functions with calls of more than one event.
    atomic_of_many: usize,
    typed_of_many: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
}

impl Counts {
    fn add(&mut self, name: &str, text: &str) {
        let file = Scratch::new(name, text);
        let program = loaded(&file.0);
        self.programs += 1;
        let inferred = atomicities(&program);
        if let Atomicities::GaveUp(why) = &inferred {
            self.gave_up += 1;
            self.missed.push(format!("{name}: gave up: {}", why[0].0));
        }
        let functions = match &inferred {
            Atomicities::Inferred { functions, .. } => &functions[..],
            Atomicities::GaveUp(_) => &[],
        };
        let type_of = |function| functions.iter().find(|f| f.function == function);
        let is_typed = |function| type_of(function).is_some_and(FunctionType::is_atomic);
        let Some(found) = searched(&program) else {
            self.too_large += 1;
            return;
        };
        for function in &found.returned {
            self.functions += 1;
            let many = found.of_many_events.contains(function) as usize;
            let called = &program.function(*function).name;
            match (found.interrupted.contains(function), is_typed(*function)) {
                (true, true) => {
                    let at = &found.closed_at[function];
                    self.wrong.push(format!("{name}: `{called}` at {at}\n{text}"));
                }
                (true, false) => {}
                (false, typed) => {
                    self.atomic += 1;
                    self.atomic_of_many += many;
                    self.typed += typed as usize;
                    self.typed_of_many += typed as usize * many;
                    if !typed {
                        let why = type_of(*function).and_then(|t| t.interruption.as_ref());
                        let line =
                            |(function, pc): CodePlace| program.function(function).places[pc as usize].line;
                        let why = why.map(|i| {
                            let places = [Some(&i.first), Some(&i.second), i.other.as_ref()];
                            let text = places
                                .into_iter()
                                .flatten()
                                .map(|(at, what)| format!("{} {what}", line(*at)));
                            text.collect::<Vec<_>>().join("; ")
                        });
                        self.missed.push(format!("{name}: `{called}`: {}", why.unwrap_or_default()));
                    }
                }
            }
        }
    }

    fn judge(&self) {
        println!(
            "{} programs ({} given up, {} too large for brute force), {} functions; {} atomic, {} of them typed; of those with \
             more than one event {} and {}; {} wrong",
            self.programs,
            self.gave_up,
            self.too_large,
            self.functions,
            self.atomic,
            self.typed,
            self.atomic_of_many,
            self.typed_of_many,
            self.wrong.len()
        );
        self.missed.iter().take(40).for_each(|line| println!("not typed: {line}"));
        assert!(self.wrong.is_empty(), "typed atomic and interrupted:\n{}", self.wrong.join("\n"));
        assert!(self.typed_of_many * 100 >= self.atomic_of_many * 80, "too few are typed");
    }
}

fn compare(seeds: impl Iterator<Item = u64>) {
    let mut counts = Counts::default();
    for seed in seeds {
        counts.add(&seed.to_string(), &called_program(&mut Random::new(seed)));
    }
    counts.judge();
}

#[test]
fn typed_functions_are_not_interrupted() {
    compare(1..41);
}

#[test]
#[ignore = "takes an hour"]
fn typed_functions_are_not_interrupted_in_many_programs() {
    let (first, count) = (setting("RADDLE_SEED", 1), setting("RADDLE_PROGRAMS", 3000));
    compare(first..first + count);
}

/// Programs that obey a discipline of locks and threads, and their mutants: larger, with fewer functions.
#[test]
#[ignore = "takes half an hour"]
fn disciplined_functions_are_not_interrupted() {
    let mut counts = Counts::default();
    let (first, count) = (setting("RADDLE_SEED", 1), setting("RADDLE_PROGRAMS", 500));
    for seed in first..first + count {
        counts.add(&seed.to_string(), &disciplined_program(&mut Random::new(seed)).text);
    }
    counts.judge();
}

/// One program of a file, and what its first line says.
struct Written {
    name: String,
    text: String,
    expected: Vec<(String, Vec<String>)>,
}

fn written(file: &Path) -> Vec<Written> {
    let folder = file.parent().expect("a folder");
    let prelude = std::fs::read_to_string(folder.join("prelude.h")).expect("the prelude");
    let all = std::fs::read_to_string(file).expect("readable");
    let one = |part: &str| {
        let (first, rest) = part.split_once('\n')?;
        let (name, words) = first.split_once(':')?;
        let expected = words.split(';').map(|list| {
            let mut list = list.split_whitespace().map(str::to_string);
            (list.next().expect("a word"), list.collect())
        });
        let text = format!("{prelude}{rest}");
        Some(Written { name: name.trim().to_string(), text, expected: expected.collect() })
    };
    all.split("////").filter_map(one).collect()
}

/// What is wrong with a program's answers.
fn unexpected(program: &Written, number: usize) -> Vec<String> {
    let file = Scratch::new(&format!("written-{number}"), &program.text);
    let loaded = loaded(&file.0);
    let found = searched(&loaded);
    let mut wrong = Vec::new();
    let functions = match atomicities(&loaded) {
        Atomicities::Inferred { functions, .. } => functions,
        Atomicities::GaveUp(why) => {
            wrong.push(format!("{}: gave up: {}", program.name, why[0].0));
            Vec::new()
        }
    };
    let Some(found) = found else { return vec![format!("{}: too large for brute force", program.name)] };
    for function in &functions {
        if function.is_atomic() && found.interrupted.contains(&function.function) {
            let name = &loaded.function(function.function).name;
            let at = &found.closed_at[&function.function];
            let text = function.text();
            wrong.push(format!("{}: `{name}` is typed {text} and interrupted at {at}", program.name));
        }
    }
    for (word, names) in &program.expected {
        for name in names {
            let id = loaded.functions.iter().position(|f| !f.library && f.name == *name);
            let Some(id) = id.map(raddle_ir::FunctionId::new) else {
                wrong.push(format!("{}: no function `{name}`", program.name));
                continue;
            };
            let typed = functions.iter().find(|f| f.function == id);
            let actual = match (typed.is_some_and(FunctionType::is_atomic), found.interrupted.contains(&id)) {
                (true, _) => "atomic",
                (false, true) => "interrupted",
                (false, false) => "missed",
            };
            // A call without a visible step is not seen by brute force.
            if actual != word || actual != "atomic" && !found.returned.contains(&id) {
                let returned = found.returned.contains(&id);
                let text = typed.map(FunctionType::text).unwrap_or_default();
                let why = typed.and_then(|t| t.interruption.clone());
                wrong.push(format!("{why:?}"));
                wrong.push(format!(
                    "{}: `{name}` is {actual} ({text}), not {word}; returns: {returned}",
                    program.name
                ));
            }
        }
    }
    wrong
}

fn judge_written(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/atomicity").join(file);
    let programs = written(&path);
    assert!(programs.len() > 20, "{file} has programs");
    let first = file.len() * 1000;
    let wrong: Vec<String> =
        programs.iter().enumerate().flat_map(|(i, program)| unexpected(program, first + i)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn written_programs_about_locks() {
    judge_written("locks.c");
}

#[test]
fn written_programs_about_accesses() {
    judge_written("accesses.c");
}

#[test]
fn written_programs_about_mixtures() {
    judge_written("mixed.c");
}

#[test]
fn written_programs_about_threads() {
    judge_written("threads.c");
}
