//! Chores of the repository: `cargo xtask test | tidy | bless | bench NAME | instructions | matrix | differential | notices`.

mod bench;
mod bless;
mod differential;
mod instructions;
mod matrix;
mod notices;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask COMMAND
  test [--jobs N] [OPTIONS OF CARGO TEST] [-- OPTIONS OF TESTS]
               runs the tests, several test programs at once
  tidy         checks the crate graph against ARCHITECTURE.md, module headers and file sizes
  bless        runs the tests and accepts their new expectations; read the difference afterwards
  bench [NAME] runs a benchmark; without a name, lists them
  instructions [--bless]
               counts the instructions of fixed workloads and compares them with what they were
  matrix       runs the corpus once for every clang that is installed
  differential [--count N] [--from SEED] [--jobs N] [-- OPTIONS OF CSMITH]
               random programs and the sequential corpus on the machine against native execution
  notices [--check]
               writes the licences of all that is shipped to crates/raddle/NOTICES.txt
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test", rest @ ..] => test::run(&root(), rest),
        ["tidy"] => tidy::run(&root()),
        ["bless", rest @ ..] => bless::run(&root(), rest),
        ["bench"] => bench::list(&root()),
        ["bench", name, rest @ ..] => bench::run(&root(), name, rest),
        ["instructions", rest @ ..] => instructions::run(&root(), rest),
        ["matrix", rest @ ..] => matrix::run(&root(), rest),
        ["differential", rest @ ..] => differential::run(&root(), rest),
        ["notices", rest @ ..] => notices::run(&root(), rest),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(64);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// `cargo`, as it was called.
fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs to the end; a failure is an error that says what failed.
fn run_to_success(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(error) => Err(format!("{what} could not be started: {error}")),
    }
}

/// A program on the path.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
