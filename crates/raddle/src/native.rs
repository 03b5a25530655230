//! `raddle replay --native`: the program itself is compiled, executed along the trace, and the verdict printed. With `--gdb`
//! it runs under gdb, stopped at each context switch.

use std::process::Command;

use raddle_driver::{Built, NativeOptions, ReplayOptions};
use raddle_report::printable;
use raddle_trace::{Trace, Verdict};

use crate::arguments::ReplayArguments;
use crate::check::fail;
use crate::signals::{self, First};
use crate::{LOST, terminal};

/// Runs it; the result is the exit code.
pub fn replay(trace: &Trace, arguments: &ReplayArguments, how: ReplayOptions) -> u8 {
    signals::listen(&how.budget, if arguments.gdb { First::Leave } else { First::End });
    let options = NativeOptions { replay: how, keep: arguments.keep.clone(), for_debugger: arguments.gdb };
    let outcome = match raddle_driver::replay_natively(trace, &arguments.inputs, &options) {
        Ok(outcome) => outcome,
        Err(error) => return fail(&error),
    };
    for remark in &outcome.remarks {
        terminal::complain(remark);
    }
    if let Some(built) = &outcome.program {
        return debug(built);
    }
    let verdict = if outcome.reproduced { Verdict::Violated } else { Verdict::Unknown };
    let word = if outcome.reproduced { "reproduced natively" } else { "not reproduced natively" };
    let mut text = format!("\n{word}: {}\n", printable(&outcome.message));
    if outcome.steps > 0 {
        text += &format!("schedule: {} steps of {} threads\n", outcome.steps, outcome.threads);
    }
    if let Some(folder) = &arguments.keep
        && outcome.steps > 0
    {
        text += &format!("kept: {}\n", folder.join("program").display());
    }
    text += &format!("result: {verdict}\n");
    if terminal::print(&text) {
        return verdict.exit_code();
    }
    terminal::complain(&format!("result: {verdict}"));
    LOST
}

/// Starts gdb on the program. Its exit code says nothing about the program: the user has seen it.
fn debug(built: &Built) -> u8 {
    let mut command = Command::new("gdb");
    command.args(["-q", "-ex", "set breakpoint pending on", "-ex", "set pagination off"]);
    command.args(["-ex", "break raddle_native_switch", "-ex", "break raddle_native_end"]);
    // The program is under raddle_native_point; its own frame is what the user wants to see.
    command.args(["-ex", "run", "--args"]).arg(&built.program).args(&built.arguments);
    command.envs(built.environment.iter().filter_map(|variable| variable.split_once('=')));
    // Time passes while the user reads.
    command.env("RADDLE_NATIVE_TIMEOUT", "1000000").env_remove("RADDLE_NATIVE_REPORT");
    match command.status() {
        Ok(_) => 0,
        Err(error) => {
            let what = match error.kind() {
                std::io::ErrorKind::NotFound => "gdb is not installed".to_string(),
                _ => format!("gdb cannot be started: {error}"),
            };
            terminal::complain(&format!("{what}; --keep=DIR keeps the program for another debugger"));
            Verdict::Unknown.exit_code()
        }
    }
}
