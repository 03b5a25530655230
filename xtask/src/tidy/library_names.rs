//! No name of a library function in an engine or analysis: what a model does follows from its body, or it declares it.

use super::rust_files;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Crates that work for every program, whatever library it uses.
const CRATES: &[&str] = &[
    "raddle-analysis",
    "raddle-machine",
    "raddle-explicit",
    "raddle-stateless",
    "raddle-sample",
    "raddle-boolean",
];
/// Names of functions that are words of ours, too: an engine, and what a limit is about.
const WORDS: &[&str] = &["random", "time"];

pub fn check(root: &Path, errors: &mut Vec<String>) {
    let names = match names(root) {
        Ok(names) => names,
        Err(error) => return errors.push(error),
    };
    for file in CRATES.iter().flat_map(|name| rust_files(&root.join("crates").join(name).join("src"))) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let shown = file.strip_prefix(root).unwrap_or(&file).display();
        // Tests at the end of a file may name what they call.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in
            code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            for literal in line.split('"').skip(1).step_by(2).filter(|l| names.contains(*l)) {
                errors.push(format!(
                    "{shown}:{}: \"{literal}\" is a library function: let its model declare what is needed",
                    number + 1
                ));
            }
        }
    }
}

/// The functions of the table, and those by which models call each other.
fn names(root: &Path) -> Result<BTreeSet<String>, String> {
    let table = root.join("crates/raddle-clang/models/functions.txt");
    let text = fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut names: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.split(" | ").next())
        .map(|name| name.trim().to_string())
        .collect();
    for entry in fs::read_dir(root.join("crates/raddle-clang/models")).map_err(|e| e.to_string())?.flatten() {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        names.extend(text.split(|c| !word(c)).filter(|w| w.starts_with("raddle_")).map(str::to_string));
    }
    names.retain(|name| !WORDS.contains(&name.as_str()));
    Ok(names)
}
