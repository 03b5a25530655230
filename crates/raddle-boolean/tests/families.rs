//! The families: small members are the files of `tests/programs/tts`, every method that applies gives the expected
//! answer for them; large members are decided alike by two independent methods at least.
//!
//! `BLESS=1` writes the files anew.

#[path = "tts/families.rs"]
mod families;

use families::{Instance, large, small};
use raddle_boolean::tts::{Method, Outcome, Pruning, Question, Stop, decide};
use raddle_trace::Budget;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/tts")
}

fn path_of(instance: &Instance) -> PathBuf {
    let part = if instance.covered { "unsafe" } else { "safe" };
    folder().join(part).join(format!("{}.tts", instance.name))
}

/// What a method says: covered or not; nothing if it does not decide.
fn verdict(instance: &Instance, method: Method, seconds: u64) -> Option<bool> {
    let target = instance.system.target.as_ref().unwrap();
    let question = Question { system: &instance.system, initial: &instance.initial, target };
    let timeout = Some(Duration::from_secs(seconds));
    let budget = Budget { timeout, started: Instant::now(), ..Budget::default() };
    match decide(question, method, Pruning::default(), &budget).outcome {
        Outcome::Covered(_) => Some(true),
        Outcome::Uncoverable => Some(false),
        Outcome::Stopped(Stop::Trace) => panic!("{}: {method:?}: a run that does not replay", instance.name),
        Outcome::Stopped(_) | Outcome::NotApplicable(_) => None,
    }
}

/// The first methods that decided, at most so many, all as expected.
fn agreeing(instance: &Instance, methods: &[Method], most: usize, seconds: u64) -> Vec<Method> {
    let mut decided = Vec::new();
    for method in methods {
        if decided.len() == most {
            break;
        }
        if let Some(covered) = verdict(instance, *method, seconds) {
            assert_eq!(covered, instance.covered, "{}: {method:?}", instance.name);
            decided.push(*method);
        }
    }
    decided
}

#[test]
fn names_are_different_and_there_are_enough() {
    let all: Vec<String> = small().into_iter().chain(large()).map(|i| i.name).collect();
    let mut names = all.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all.len());
    assert!(small().len() >= 40 && all.len() >= 70, "{} and {}", small().len(), all.len());
    assert!(large().iter().any(|i| i.system.local == 100_000));
}

#[test]
fn files_are_what_the_generator_writes() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let mut known: Vec<PathBuf> = Vec::new();
    for instance in small() {
        let path = path_of(&instance);
        if bless {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, instance.text()).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(found, instance.text(), "{}", path.display());
        let read = raddle_bp::tts::read(&found).unwrap();
        assert_eq!(raddle_bp::tts::write(&read), raddle_bp::tts::write(&instance.system));
        known.push(path);
    }
    assert!(known.len() >= 40);
}

#[test]
fn every_method_gives_the_expected_answer_for_small_members() {
    for instance in small() {
        let methods = [Method::Backward, Method::KarpMiller, Method::CutOff(8), Method::StateEquation];
        let decided = agreeing(&instance, &methods, methods.len(), 60);
        let passive = instance.system.has_passive_moves();
        let name = &instance.name;
        assert!(decided.contains(&Method::Backward), "{name}");
        assert!(decided.contains(&Method::KarpMiller) != passive, "{name}");
        assert!(decided.contains(&Method::CutOff(8)) || !passive, "{name}: {decided:?}");
        assert!(decided.len() >= 2, "{name}: {decided:?}");
        assert_eq!(verdict(&instance, Method::Auto, 60), Some(instance.covered), "{name}");
    }
}

#[test]
#[ignore = "takes a minute; `--release -- --ignored`"]
fn two_methods_agree_on_large_members() {
    for instance in large() {
        let started = Instant::now();
        let methods = [Method::StateEquation, Method::KarpMiller, Method::Backward, Method::CutOff(4)];
        let decided = agreeing(&instance, &methods, 2, 120);
        let took = started.elapsed();
        let auto = Instant::now();
        assert_eq!(verdict(&instance, Method::Auto, 60), Some(instance.covered), "{}", instance.name);
        println!("{}: {decided:?} in {took:?}, auto {:?}", instance.name, auto.elapsed());
        assert!(decided.len() >= 2, "{}: {decided:?}", instance.name);
    }
}
