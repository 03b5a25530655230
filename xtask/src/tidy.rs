//! Checks that what the documents promise is so.
//!
//! - The crates and their dependencies are those of the table in ARCHITECTURE.md, between the two `layers`
//!   comments. A dependency points to a lower layer, or to the same one where the table says so.
//! - A crate uses all that the table allows; the files in the index of techniques exist.
//! - Modules of a crate use each other only in the directions of their table (`tidy/modules.rs`); proofs are made in one
//!   place, and memory is accessed through one door.
//! - Every Rust file begins with a `//!` header.
//! - Engines and analyses name no library function (`tidy/library_names.rs`).
//! - A file of more than 600 lines is worth a warning; one of more than 700 is an error, unless its header says why it is
//!   long (a sentence with "lines").

mod library_names;
mod modules;

use crate::cargo;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LONG_FILE: usize = 600;
const TOO_LONG: usize = 700;

/// A row of the table.
struct Entry {
    layer: u32,
    may_use: BTreeSet<String>,
}

/// Runs all checks; prints what is wrong.
pub fn run(root: &Path) -> Result<(), String> {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    let architecture = fs::read_to_string(root.join("ARCHITECTURE.md"))
        .map_err(|error| format!("cannot read ARCHITECTURE.md: {error}"))?;
    let table = layer_table(&architecture)?;
    let crates = workspace_crates(root)?;
    check_graph(&table, &crates, &mut errors);
    check_techniques(root, &architecture, &mut errors);
    modules::check(root, &architecture, &mut errors);
    library_names::check(root, &mut errors);
    for top in ["crates", "xtask"] {
        check_files(root, &root.join(top), &mut errors, &mut warnings);
    }
    for warning in &warnings {
        println!("warning: {warning}");
    }
    for error in &errors {
        println!("error: {error}");
    }
    match errors.len() {
        0 => {
            println!("tidy: {} crates, {} warnings", crates.len(), warnings.len());
            Ok(())
        }
        n => Err(format!("tidy found {n} errors")),
    }
}

/// The table between `<!-- layers: begin -->` and `<!-- layers: end -->`: layer, crate, may depend on.
fn layer_table(text: &str) -> Result<BTreeMap<String, Entry>, String> {
    let body = text
        .split_once("<!-- layers: begin -->")
        .and_then(|(_, rest)| rest.split_once("<!-- layers: end -->"))
        .map(|(body, _)| body)
        .ok_or("ARCHITECTURE.md has no table between the `layers` comments")?;
    let mut table = BTreeMap::new();
    for line in body.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [layer, name, may_use, ..] = cells.as_slice() else {
            return Err(format!("ARCHITECTURE.md: a row of the layer table has too few cells: {line}"));
        };
        let Ok(layer) = layer.parse() else { continue };
        let may_use = quoted(may_use).into_iter().collect();
        for name in quoted(name) {
            let entry = Entry { layer, may_use: BTreeSet::clone(&may_use) };
            if table.insert(name.clone(), entry).is_some() {
                return Err(format!("ARCHITECTURE.md: `{name}` is in the layer table twice"));
            }
        }
    }
    if table.is_empty() { Err("ARCHITECTURE.md: the layer table is empty".into()) } else { Ok(table) }
}

/// The files that the index of techniques names exist.
fn check_techniques(root: &Path, architecture: &str, errors: &mut Vec<String>) {
    let table = architecture
        .split_once("<!-- techniques: begin -->")
        .and_then(|(_, rest)| rest.split_once("<!-- techniques: end -->"));
    let Some((table, _)) = table else {
        errors.push("ARCHITECTURE.md has no index of techniques".into());
        return;
    };
    for path in
        quoted(table).into_iter().filter(|path| !root.join("crates/raddle-".to_string() + path).is_file())
    {
        errors.push(format!("ARCHITECTURE.md names {path} for a technique, which does not exist"));
    }
}

/// What is between backquotes.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// Each crate of ours with those of its dependencies that are ours; dev-dependencies apart.
struct Uses {
    normal: BTreeSet<String>,
    for_tests: BTreeSet<String>,
}

fn workspace_crates(root: &Path) -> Result<BTreeMap<String, Uses>, String> {
    let output = cargo(root)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .map_err(|error| format!("cargo metadata could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata gave no JSON: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let names: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut crates = BTreeMap::new();
    for package in packages {
        let mut uses = Uses { normal: BTreeSet::new(), for_tests: BTreeSet::new() };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            match dependency["name"].as_str() {
                Some(name) if names.contains(name) => {
                    let tests_only = dependency["kind"].as_str() == Some("dev");
                    if tests_only { &mut uses.for_tests } else { &mut uses.normal }.insert(name.to_string());
                }
                _ => {}
            }
        }
        crates.insert(package["name"].as_str().unwrap_or_default().to_string(), uses);
    }
    Ok(crates)
}

fn check_graph(table: &BTreeMap<String, Entry>, crates: &BTreeMap<String, Uses>, errors: &mut Vec<String>) {
    for (name, entry) in table {
        let Some(uses) = crates.get(name) else {
            errors.push(format!("ARCHITECTURE.md lists `{name}`, which does not exist"));
            continue;
        };
        for used in entry.may_use.difference(&uses.normal) {
            errors.push(format!("ARCHITECTURE.md lets `{name}` use `{used}`, which it does not"));
        }
        for used in &entry.may_use {
            match table.get(used) {
                None => {
                    errors.push(format!("ARCHITECTURE.md lets `{name}` use `{used}`, which is not listed"))
                }
                Some(other) if other.layer > entry.layer => {
                    errors.push(format!("ARCHITECTURE.md lets `{name}` use `{used}` of a higher layer"));
                }
                Some(_) => {}
            }
        }
    }
    for (name, uses) in crates {
        let Some(entry) = table.get(name) else {
            errors.push(format!("`{name}` is not in the layer table of ARCHITECTURE.md"));
            continue;
        };
        for used in uses.normal.difference(&entry.may_use) {
            errors.push(format!("`{name}` depends on `{used}`, which ARCHITECTURE.md does not allow"));
        }
        for used in &uses.for_tests {
            let higher = table.get(used).is_some_and(|other| other.layer > entry.layer);
            if higher && used != "raddle-conformance" {
                errors.push(format!("the tests of `{name}` depend on `{used}` of a higher layer"));
            }
        }
    }
}

fn check_files(root: &Path, folder: &Path, errors: &mut Vec<String>, warnings: &mut Vec<String>) {
    for file in rust_files(folder) {
        let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                errors.push(format!("{shown}: {error}"));
                continue;
            }
        };
        if !text.starts_with("//! ") {
            errors.push(format!("{shown} does not begin with a `//!` header that says what it is"));
        }
        let lines = text.lines().count();
        let header: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        if lines > TOO_LONG && !header.contains("lines") {
            errors.push(format!("{shown} has {lines} lines, and its header does not say why"));
        } else if lines > LONG_FILE {
            warnings.push(format!("{shown} has {lines} lines: does it have two subjects?"));
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "x\n<!-- layers: begin -->\n| layer | crate | may depend on |\n|---|---|---|\n\
                         | 0 | `a` | nothing |\n| 1 | `b` | `a` |\n\
                         <!-- layers: end -->\n";

    fn judge(crates: &[(&str, &[&str])]) -> Vec<String> {
        let crates = crates
            .iter()
            .map(|(name, uses)| {
                let normal = uses.iter().map(|used| used.to_string()).collect();
                (name.to_string(), Uses { normal, for_tests: BTreeSet::new() })
            })
            .collect();
        let mut errors = Vec::new();
        check_graph(&layer_table(TABLE).unwrap(), &crates, &mut errors);
        errors
    }

    #[test]
    fn the_graph_is_judged_by_the_table() {
        assert_eq!(judge(&[("a", &[]), ("b", &["a"])]), Vec::<String>::new());
        assert!(judge(&[("a", &["b"]), ("b", &["a"])])[0].contains("`a` depends on `b`"));
        assert!(judge(&[("a", &[]), ("b", &[])])[0].contains("`b` use `a`, which it does not"));
        assert!(judge(&[("a", &[])])[0].contains("`b`, which does not exist"));
        assert!(judge(&[("a", &[]), ("b", &["a"]), ("d", &[])])[0].contains("`d` is not in the layer table"));
    }

    #[test]
    fn a_missing_table_is_an_error() {
        assert!(layer_table("nothing here").is_err());
    }
}
