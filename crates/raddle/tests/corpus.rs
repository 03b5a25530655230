//! Every program under `tests/programs`, through the command line, a test for each engine: verdicts, exit code, the line
//! that is named, and that each reported violation replays.
//!
//! Programs are explored by states, but for every second of the topics of other engines and of the library, and three in four of
//! `symbolic_*`. By `auto`, which ends with the same search, one in `AUTO_SAMPLE` is checked, and those that only `auto` checks or
//! has a header of its own for; by `types` those of its topic and one in `TYPES_SAMPLE`; by `order` one in `ORDER_SAMPLE`, by the
//! other symbolic styles one in `STYLE_SAMPLE`; by executions those that are made for that engine, and one in `SAMPLE` of the
//! others, where the only requirement is that it is not wrong. The rest are ignored tests: `make test-long` runs them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_conformance::{Expectation, Expected, Program, programs};
use raddle_trace::{FaultDetails, Report, Trace, Verdict, read_report};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let programs = programs(&root).unwrap_or_else(|e| panic!("{e}"));
    let mut trials = Vec::new();
    for (number, program) in programs.into_iter().enumerate() {
        let expectation = &program.expectation;
        let program = Arc::new(program.clone());
        if expectation.engines.is_empty()
            || ["auto", "random", "pct", "run"].iter().any(|e| expectation.runs_with(e))
        {
            let sampled = program.clone();
            let by_states = expectation.runs_with("explicit") && !expectation.explicit_skipped;
            let later = by_states && expectation.auto.is_empty() && number % AUTO_SAMPLE != 0;
            let trial = Trial::test(program.name.clone(), move || check(&sampled, Engine::Auto));
            trials.push(trial.with_ignored_flag(later));
        }
        if is_for_any_engine(&program) && expectation.of("race") != Expected::Unknown {
            let name = format!("{} by types", program.name);
            let regression = program.name.contains("/types/");
            let later = !regression && number % TYPES_SAMPLE != 0;
            let program = program.clone();
            trials.push(Trial::test(name, move || check(&program, Engine::Types)).with_ignored_flag(later));
        }
        if expectation.runs_with("stateless") && !expectation.explicit_skipped {
            let name = format!("{} by executions", program.name);
            let later = !is_for_executions(&program) && number % SAMPLE != 1;
            let program = program.clone();
            let trial = Trial::test(name, move || check(&program, Engine::Stateless));
            trials.push(trial.with_ignored_flag(later));
        }
        // Invariants are rows of their own, which the engine does not judge.
        if is_for_any_engine(&program) && !expectation.rows.contains_key("invariant") {
            let name = format!("{} by order", program.name);
            // Programs on which it was wrong once.
            let regression = program.name.contains("/symbolic/");
            let later = number % ORDER_SAMPLE != 2 && !regression;
            let program = program.clone();
            let ordered = program.clone();
            trials.push(Trial::test(name, move || check(&ordered, Engine::Order)).with_ignored_flag(later));
            for (index, style) in ["lazy", "record", "widen"].into_iter().enumerate() {
                let name = format!("{} by {style}", program.name);
                let later = number % STYLE_SAMPLE != 3 + 10 * index && !(regression && number % 3 == index);
                let program = program.clone();
                let trial = Trial::test(name, move || check(&program, Engine::Style(style)));
                trials.push(trial.with_ignored_flag(later));
            }
        }
        if expectation.runs_with("explicit") && !expectation.explicit_skipped {
            let name = format!("{} by states", program.name);
            // These are many, and small variations of each other for this engine.
            let topic = program.name.split('/').nth(1).unwrap_or_default();
            let sample = if topic.starts_with("symbolic_") {
                STATES_SAMPLE
            } else if ["types", "stateless", "stdio", "stdlib", "sequential"].contains(&topic) {
                2
            } else {
                1
            };
            let later = number % sample != 0 || LONG.contains(&program.name.as_str());
            let trial = Trial::test(name, move || check(&program, Engine::Explicit));
            trials.push(trial.with_ignored_flag(later));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

const SAMPLE: usize = 18;
const AUTO_SAMPLE: usize = 12;
const ORDER_SAMPLE: usize = 22;
const STYLE_SAMPLE: usize = 120;
const STATES_SAMPLE: usize = 4;
/// Explored by states for half a minute.
const LONG: [&str; 1] = ["unsafe/explicit/mailbox_freed_too_early_for_ever"];
const TYPES_SAMPLE: usize = 12;

/// Whether the program's options are none of one engine's own, or of infinite runs.
fn is_for_any_engine(program: &Program) -> bool {
    let own = [
        "--engine",
        "--reduction",
        "--store",
        "--search",
        "--bitstate-mb",
        "--sample-choices",
        "--schedules",
        "--pct-depth",
    ];
    !program.expectation.options.iter().any(|option| own.contains(&option.as_str()))
}

/// Whether all classes of executions must be looked at.
fn is_for_executions(program: &Program) -> bool {
    program.expectation.engines.iter().any(|e| e == "stateless") || program.name.contains("/stateless/")
}

/// The engine that a program is given to.
#[derive(Clone, Copy, PartialEq)]
enum Engine {
    /// What is used by default: samples, few preemptions, then states.
    Auto,
    /// All classes of executions, as far as the time goes: a proof or a violation where programs end and are small, as those
    /// of the topic `stateless` are and those whose headers name it, and never the wrong one of the two.
    Stateless,
    /// All interleavings and inputs as one formula: what it decides is right.
    Order,
    /// The same with interleavings explored one by one, or recorded in one formula: these are slower.
    Style(&'static str),
    /// The row `race` from the code alone: a proof or nothing, and never a proof where there is a race.
    Types,
    /// All states: a proof, unless the program's header names the rule that forbids it.
    Explicit,
}

fn raddle() -> Command {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
}

/// A file that is gone when the test ends.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn check(program: &Program, engine: Engine) -> Result<(), Failed> {
    let expectation = &program.expectation;
    // Where `auto` has to prove everything, its own number of schedules; where it has to find something, more.
    let safe = expectation.rows.iter().all(|(word, wanted)| {
        *wanted == Expected::Ok
            && is_proved_by_states(expectation, word)
            && of_auto(expectation, word).is_none()
    });
    let ends = expectation.runs_with("explicit") && !expectation.explicit_skipped;
    let schedules = expectation.schedules.unwrap_or(if safe { 200 } else { 600 }).to_string();
    let how = match engine {
        // The topic of a reduction that is off by default.
        Engine::Explicit if program.name.contains("/guards/") => {
            &["--engine", "explicit", "--reduction", "superstep,patterns,guards,symmetry"][..]
        }
        Engine::Explicit => &["--engine", "explicit"][..],
        Engine::Types => &["--engine", "types"],
        Engine::Order => &["--engine", "order", "--timeout", "4"],
        Engine::Style(name) => &["--engine", name, "--timeout", "2"],
        Engine::Stateless => &["--engine", "stateless", "--timeout", "3", "--preemptions", "2"],
        // A proof is expected whatever else the processor does meanwhile.
        Engine::Auto if ends && expectation.explicit.is_empty() => &["--timeout", "120"],
        // A row that stays open is worked on until the time is up.
        Engine::Auto if ends => &["--timeout", "12"],
        // Some programs run for ever: then it looks at states until the time is up.
        Engine::Auto => &["--timeout", "6"],
    };
    let sampled = if engine == Engine::Auto { &["--schedules", &schedules][..] } else { &[] };
    let small = is_for_executions(program);
    let how = if small && engine == Engine::Stateless { &how[..2] } else { how };
    let output = raddle()
        .arg("check")
        .arg(&program.path)
        .args(["--format", "json"])
        .args(how)
        .args(sampled)
        .args(options(program))
        .output()
        .map_err(|e| format!("raddle does not start: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let report = read_report(&text).map_err(|e| format!("no report: {e}\n{complaint}"))?;
    let code = output.status.code().unwrap_or(-1);
    if code != report.verdict().exit_code() as i32 {
        return Err(format!("exit code {code}, but the report says {}", report.verdict()).into());
    }
    let asked: Vec<&str> = report.rows.iter().map(|row| row.property.word()).collect();
    if let Some(unasked) = expectation.rows.keys().find(|word| !asked.contains(&word.as_str())) {
        return Err(format!(
            "{unasked}: expected, but not asked for: a `--property` is missing in the options"
        )
        .into());
    }
    if !matches!(engine, Engine::Stateless | Engine::Order | Engine::Style(_) | Engine::Types) {
        says(expectation, &report)?;
    }
    let proves = expectation.is_proved_by("stateless");
    let is_symbolic = matches!(engine, Engine::Order | Engine::Style(_));
    for row in &report.rows {
        let word = row.property.word();
        let wanted = expectation.of(word);
        let fits = match wanted {
            Expected::Ok
                if engine == Engine::Types && word == "race" && expectation.is_proved_by("types") =>
            {
                row.verdict() == Verdict::Proved
            }
            _ if engine == Engine::Types => {
                row.verdict() != Verdict::Violated
                    && (wanted == Expected::Ok || row.verdict() != Verdict::Proved)
            }
            _ if engine == Engine::Explicit && instead(expectation, word).is_some() => {
                instead(expectation, word) == Some(row.verdict().word())
                    || wanted == Expected::Violated && row.verdict() == Verdict::Violated
            }
            _ if engine == Engine::Auto && of_auto(expectation, word).is_some() => {
                of_auto(expectation, word) == Some(row.verdict().word())
            }
            // What the explicit-state engine proves, `auto` proves too.
            Expected::Ok if engine == Engine::Auto && is_proved_by_states(expectation, word) => {
                row.verdict() == Verdict::Proved
            }
            // The symbolic engine may decide what the explicit-state engine does not.
            Expected::Ok if engine == Engine::Auto && instead(expectation, word) == Some("unknown") => {
                row.verdict() != Verdict::Violated
            }
            _ if is_symbolic || engine == Engine::Stateless && !small => {
                row.verdict()
                    != if wanted == Expected::Violated { Verdict::Proved } else { Verdict::Violated }
            }
            Expected::Ok if engine == Engine::Explicit => row.verdict() == Verdict::Proved,
            Expected::Ok if engine == Engine::Stateless && proves => row.verdict() == Verdict::Proved,
            Expected::Ok => row.verdict() == Verdict::Bounded || row.verdict() == Verdict::Proved,
            Expected::Violated => row.verdict() == Verdict::Violated,
            Expected::Unknown => row.verdict() == Verdict::Unknown,
        };
        // Where another row is violated by a memory fault, the rest is at most unknown.
        let memory = expectation.of("memsafety") == Expected::Violated;
        let excused = memory && wanted == Expected::Ok && row.verdict() == Verdict::Unknown;
        if !fits && !excused {
            let reason = row.reason.as_deref().unwrap_or("");
            let trace = report.trace_of(row).map(|t| t.fault.message.clone()).unwrap_or_default();
            return Err(format!("{word}: expected {wanted:?}, got {} {reason} {trace}", row.verdict()).into());
        }
        if row.verdict() == Verdict::Violated {
            let trace =
                report.trace_of(row).ok_or_else(|| format!("{word}: violated, but without a trace"))?;
            named_line(program, word, trace)?;
            if trace.steps.len() < 5000 {
                replays(program, trace)?;
            }
        }
    }
    if is_symbolic || engine == Engine::Types {
        return Ok(());
    }
    unsupported_line(program, &report)
}

/// What the explicit-state engine says of a row in place of what is expected.
fn instead<'e>(expectation: &'e Expectation, word: &str) -> Option<&'e str> {
    let all = expectation.explicit.get("all");
    expectation.explicit.get(word).or(all).map(String::as_str)
}

fn of_auto<'e>(expectation: &'e Expectation, word: &str) -> Option<&'e str> {
    expectation.auto.get(word).or(expectation.auto.get("all")).map(String::as_str)
}

/// Whether the other test of the program is that the explicit-state engine proves the row.
fn is_proved_by_states(expectation: &Expectation, word: &str) -> bool {
    let inspected = expectation.runs_with("explicit") && !expectation.explicit_skipped;
    inspected && instead(expectation, word).is_none()
}

/// The texts that the header names are in the report, or are not.
fn says(expectation: &Expectation, report: &Report) -> Result<(), Failed> {
    let mut texts: Vec<String> = report.assumptions.iter().map(|a| a.sentence()).collect();
    texts.extend(report.bounds.sentences());
    texts.extend(report.rows.iter().filter_map(|row| row.reason.clone()));
    if let Some(coverage) = &report.reached {
        texts.push(coverage.sentence());
        texts.extend(coverage.warnings.iter().cloned());
    }
    let said = |text: &&String| texts.iter().any(|t| t.contains(text.as_str()));
    if let Some(missing) = expectation.says.iter().find(|text| !said(text)) {
        return Err(format!("the report does not say `{missing}`: {texts:#?}").into());
    }
    if let Some(unwanted) = expectation.silent.iter().find(said) {
        return Err(format!("the report says `{unwanted}`: {texts:#?}").into());
    }
    Ok(())
}

/// The program's options; `{folder}` is the folder it lies in.
fn options(program: &Program) -> Vec<String> {
    let folder = program.path.parent().unwrap_or(Path::new(".")).display().to_string();
    program.expectation.options.iter().map(|o| o.replace("{folder}", &folder)).collect()
}

/// One of the marked lines is named by the trace.
fn named_line(program: &Program, word: &str, trace: &Trace) -> Result<(), Failed> {
    let wanted = program.expectation.lines(word);
    if wanted.is_empty() {
        return Ok(());
    }
    let mut named: Vec<u32> = trace.fault.place.iter().chain(&trace.fault.stack).map(|p| p.line).collect();
    match &trace.fault.details {
        FaultDetails::Race { first, second, .. } => {
            named.extend(first.place.iter().chain(&second.place).map(|p| p.line));
        }
        FaultDetails::Deadlock { blocked, .. } => {
            named.extend(blocked.iter().filter_map(|b| b.place.as_ref()).map(|p| p.line))
        }
        _ => {}
    }
    if wanted.iter().any(|line| named.contains(line)) {
        return Ok(());
    }
    Err(format!("{word}: lines {wanted:?} are marked, the trace names {named:?}: {}", trace.fault.message)
        .into())
}

fn replays(program: &Program, trace: &Trace) -> Result<(), Failed> {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("raddle-corpus-{}-{count}.json", std::process::id()));
    let file = Scratch(path);
    std::fs::write(&file.0, raddle_trace::write_json(trace)).map_err(|e| e.to_string())?;
    let output =
        raddle().arg("replay").arg(&file.0).arg(&program.path).output().map_err(|e| e.to_string())?;
    if output.status.code() != Some(1) {
        let text = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        let tail = text.lines().rev().take(3).collect::<Vec<_>>().join(" / ");
        return Err(format!("does not replay ({:?}): {tail} {complaint}", output.status.code()).into());
    }
    Ok(())
}

/// A marked unsupported line is named by the reason.
fn unsupported_line(program: &Program, report: &Report) -> Result<(), Failed> {
    let lines = program.expectation.lines("unsupported");
    if lines.is_empty() {
        return Ok(());
    }
    let reasons: Vec<&str> = report.rows.iter().filter_map(|r| r.reason.as_deref()).collect();
    let named = lines.iter().any(|line| reasons.iter().any(|r| r.contains(&format!(".c:{line}:"))));
    if named {
        Ok(())
    } else {
        Err(format!("lines {lines:?} are marked unsupported; reasons: {reasons:?}").into())
    }
}
