//! The corpus of Boolean programs: every `.bp` file under `tests/programs/boolean`, by path.
//!
//! Beside the lines of [`Expectation`], a header has
//!
//! ```text
//! // unbounded: violated
//! // reference: stack=4 cut=stack,threads states=120 steps=7
//! ```
//!
//! what holds if any number of threads may run, and what brute force finds: with how many frames on a stack (one for each procedure if it is not said), what was cut, how
//! many states there are, and how many steps the shortest counterexample has.

use crate::{Expectation, Expected};
use std::path::{Path, PathBuf};

/// One program of the corpus.
#[derive(Clone, Debug)]
pub struct BooleanProgram {
    pub path: PathBuf,
    /// `safe/sequential/name`.
    pub name: String,
    pub text: String,
    pub expectation: Expectation,
    pub initial_threads: usize,
    pub max_threads: usize,
    pub error_label: String,
    /// Whether there is an error if any number of threads may run.
    pub violated_unbounded: Option<bool>,
    /// What the `reference` line says, by its words.
    pub reference: Vec<(String, String)>,
}

impl BooleanProgram {
    pub fn is_violated(&self) -> bool {
        self.expectation.of("assert") == Expected::Violated
    }

    pub fn reference(&self, word: &str) -> Option<&str> {
        self.reference.iter().find(|(key, _)| key == word).map(|(_, value)| value.as_str())
    }
}

/// All Boolean programs below a folder, sorted; an error names the file whose header is wrong.
pub fn boolean_programs(root: &Path) -> Result<Vec<BooleanProgram>, String> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).with_extension("").display().to_string();
        program(path.clone(), name, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    files.into_iter().map(read).collect()
}

fn program(path: PathBuf, name: String, text: String) -> Result<BooleanProgram, String> {
    let expectation = Expectation::parse(&text)?;
    let option = |name: &str| {
        let at = expectation.options.iter().position(|option| option == name);
        at.and_then(|at| expectation.options.get(at + 1).cloned())
    };
    let number = |name: &str, default: usize| match option(name) {
        Some(text) => text.parse::<usize>().map_err(|_| format!("{name} {text}")),
        None => Ok(default),
    };
    let initial_threads = number("--initial-threads", 1)?;
    let max_threads = number("--max-threads", initial_threads)?;
    let error_label = option("--error-label").unwrap_or_else(|| "SLIC_ERROR".to_owned());
    let violated_unbounded = match text.lines().find_map(|line| line.strip_prefix("// unbounded: ")) {
        Some("ok") => Some(false),
        Some("violated") => Some(true),
        Some(other) => return Err(format!("unbounded: {other}")),
        None => None,
    };
    let reference = text.lines().find_map(|line| line.strip_prefix("// reference:")).unwrap_or_default();
    let pair = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    let reference = reference.split_whitespace().filter_map(pair).collect();
    Ok(BooleanProgram {
        path,
        name,
        expectation,
        initial_threads,
        max_threads,
        error_label,
        violated_unbounded,
        reference,
        text,
    })
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "bp") {
            out.push(path);
        }
    }
    Ok(())
}
