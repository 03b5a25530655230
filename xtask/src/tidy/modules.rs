//! Modules: folders of a crate whose directions are those of the table in ARCHITECTURE.md, between the two `modules` comments.
//!
//! A file of a module may name, by `crate::`, its own module and those that the table allows. Also here: proofs are made in one
//! place, and memory is accessed through one file.

use super::{quoted, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The files that may make a proof or a proved row.
const PROOFS: &[&str] = &["crates/raddle-trace/src/conclusion.rs", "crates/raddle-trace/src/report.rs"];

/// The file through which the machine's programs access memory, and those that may go around it: the memory itself, first
/// contents, what `printf` reads.
const MEMORY_PORT: &str = "memory_access.rs";
const AROUND_IT: &[&str] = &["memory.rs", "machine.rs", "printf.rs"];

type Modules = BTreeMap<(String, String), BTreeSet<String>>;

pub fn check(root: &Path, architecture: &str, errors: &mut Vec<String>) {
    let modules = match table(architecture) {
        Ok(modules) => modules,
        Err(error) => return errors.push(error),
    };
    for ((name, module), may_use) in &modules {
        let source = root.join("crates").join(name).join("src");
        let mut files = rust_files(&source.join(module));
        files.push(source.join(format!("{module}.rs")));
        for file in files {
            let Ok(text) = fs::read_to_string(&file) else {
                errors.push(format!("{} is a module in ARCHITECTURE.md, but cannot be read", file.display()));
                continue;
            };
            let others = modules.keys().filter(|(other, _)| other == name).map(|(_, other)| other);
            for other in others.filter(|other| *other != module && !may_use.contains(*other)) {
                if text.contains(&format!("crate::{other}::")) || text.contains(&format!("crate::{other};")) {
                    let file = file.strip_prefix(root).unwrap_or(&file).display();
                    errors.push(format!("{file}: the module `{module}` of {name} may not use `{other}`"));
                }
            }
        }
    }
    check_proofs(root, errors);
    check_memory_port(root, errors);
}

fn table(text: &str) -> Result<Modules, String> {
    let body = text
        .split_once("<!-- modules: begin -->")
        .and_then(|(_, rest)| rest.split_once("<!-- modules: end -->"))
        .map(|(body, _)| body)
        .ok_or("ARCHITECTURE.md has no table between the `modules` comments")?;
    let mut modules = Modules::new();
    for line in body.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<Vec<String>> = line.trim_matches('|').split('|').map(quoted).collect();
        let [name, module, may_use, ..] = cells.as_slice() else { continue };
        if let ([name], [module]) = (name.as_slice(), module.as_slice()) {
            modules.insert((name.clone(), module.clone()), may_use.iter().cloned().collect());
        }
    }
    if modules.is_empty() {
        Err("ARCHITECTURE.md: the table of modules is empty".into())
    } else {
        Ok(modules)
    }
}

/// The compiler keeps others from making a `Proof`; this keeps the places from changing.
fn check_proofs(root: &Path, errors: &mut Vec<String>) {
    for file in rust_files(&root.join("crates")) {
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let makes = ["Proof(())", "PropertyResult::proved(", "Verdict::Proved)"];
        if !PROOFS.contains(&name.as_str())
            && name.contains("/src/")
            && makes.iter().any(|word| text.contains(word))
        {
            errors.push(format!("{name}: proofs are made in {} only", PROOFS[0]));
        }
    }
}

/// No access and no fence is reported, and no bytes are moved, but in this file.
fn check_memory_port(root: &Path, errors: &mut Vec<String>) {
    let reports = ["w.access(", "watch.access(", "w.fence(", "watch.fence("];
    let moves = ["load", "store", "load_bytes", "store_bytes", "extract", "insert", "fill"];
    for file in rust_files(&root.join("crates/raddle-machine/src/semantics")) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let around = AROUND_IT.contains(&name.as_str());
        let moves_bytes = moves.iter().any(|word| text.contains(&format!("memory.{word}(")));
        let reports = reports.iter().any(|word| text.contains(word));
        if name != MEMORY_PORT && (reports || moves_bytes && !around) {
            let file = file.strip_prefix(root).unwrap_or(&file).display();
            errors.push(format!("{file}: memory is accessed through semantics/{MEMORY_PORT} only"));
        }
    }
}
