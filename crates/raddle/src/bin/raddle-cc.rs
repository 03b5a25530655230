//! `raddle-cc`: stands in for the C compiler of a build (`make CC=raddle-cc`), runs the real one unchanged, and records what it
//! compiled and linked, for `raddle check --link-target`.
//!
//! The real compiler is `RADDLE_CC` (words, as in a shell), or `cc`; nothing else names it. Output, exit code and signals are
//! those of the real compiler. What cannot be recorded is one line on standard error, and never a failed build.

use raddle_driver::build_record::{Compiler, Run, Store, record};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};

/// Set for the real compiler, to end a wrapper that calls itself.
const DEPTH: &str = "RADDLE_CC_DEPTH";
/// A compiler that is a script may call a wrapped compiler again.
const DEEPEST: u32 = 4;
/// The compiler cannot be run, as a shell says it.
const NOT_FOUND: u8 = 127;
/// Usage error.
const USAGE: u8 = 64;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let compiler = match compiler() {
        Ok(compiler) => compiler,
        Err(message) => {
            complain(&message);
            return ExitCode::from(USAGE);
        }
    };
    // Before the run: response files may be gone afterwards.
    let planned = std::panic::catch_unwind(|| plan(&compiler, &words))
        .unwrap_or_else(|_| Err("an internal error".into()));
    let status = match execute(&compiler, &words) {
        Ok(status) => status,
        Err(error) => {
            complain(&format!("cannot run {}: {error}; RADDLE_CC names the compiler", compiler.0[0]));
            return ExitCode::from(NOT_FOUND);
        }
    };
    if status.success() {
        let recorded = planned.and_then(|run| match run {
            Some(run) => {
                std::panic::catch_unwind(|| keep(&run)).unwrap_or_else(|_| Err("an internal error".into()))
            }
            None => Ok(()),
        });
        if let Err(why) = recorded {
            complain(&format!("this step of the build is not recorded: {why}"));
        }
    }
    if let Some(signal) = status.signal() {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(1))
}

fn complain(message: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "raddle-cc: {message}");
}

/// The real compiler, which must not be this program.
fn compiler() -> Result<Compiler, String> {
    let depth = std::env::var(DEPTH).ok().and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    let named = match std::env::var("RADDLE_CC") {
        Err(std::env::VarError::NotUnicode(_)) => return Err("RADDLE_CC is not text in UTF-8".into()),
        named => named.unwrap_or_default(),
    };
    let words = raddle_driver::shell_words(&named).map_err(|what| format!("RADDLE_CC has {what}"))?;
    let words = if words.is_empty() { vec!["cc".to_string()] } else { words };
    if depth >= DEEPEST {
        return Err(format!("`{}` runs raddle-cc again; RADDLE_CC is to name the real compiler", words[0]));
    }
    Ok(Compiler(words))
}

/// What the run will be; nothing if it makes nothing that is recorded.
fn plan(compiler: &Compiler, words: &[OsString]) -> Result<Option<Run>, String> {
    let text = |word: &OsString| word.to_str().map(String::from);
    let words: Option<Vec<String>> = words.iter().map(text).collect();
    let words = words.ok_or("a word of the command is not text in UTF-8")?;
    let folder = std::env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
    let run = Run::of(compiler, &words, &folder)?;
    Ok(run.is_recorded().then_some(run))
}

fn keep(run: &Run) -> Result<(), String> {
    let named = std::env::var_os("RADDLE_CC_DIR").filter(|name| !name.is_empty()).map(PathBuf::from);
    let folder = std::env::current_dir().unwrap_or_default();
    let store = Store::of_build(named.as_deref().map(Path::new), &folder);
    store.and_then(|store| record(run, &store)).map_err(|error| error.to_string())
}

/// Runs the compiler and waits for it; what would end this process ends the compiler first.
fn execute(compiler: &Compiler, words: &[OsString]) -> std::io::Result<ExitStatus> {
    let depth = std::env::var(DEPTH).ok().and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    let mut command = Command::new(&compiler.0[0]);
    command.args(&compiler.0[1..]).args(words).env(DEPTH, (depth + 1).to_string());
    let mut child = command.spawn()?;
    forward_signals(&child);
    child.wait()
}

fn forward_signals(child: &Child) {
    let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return };
    let Ok(mut signals) = Signals::new([SIGTERM, SIGHUP]) else { return };
    let forwarding = move || {
        for signal in signals.forever() {
            let same = if signal == SIGHUP { Signal::HUP } else { Signal::TERM };
            let _ = kill_process(id, same);
        }
    };
    let _ = std::thread::Builder::new().spawn(forwarding);
}
