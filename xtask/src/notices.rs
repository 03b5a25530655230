//! `cargo xtask notices`: the licences of all that is compiled into the programs, as one file that is shipped with them. Texts are
//! those in the packages of the dependencies, bundled C and C++ sources (CaDiCaL, mimalloc) among them; equal ones appear once.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the file is, and what is shipped.
const FILE: &str = "crates/raddle/NOTICES.txt";
const PACKAGE: &str = "raddle";
/// Folders of packages are searched so deep for sources of others.
const DEEPEST: usize = 5;
/// No text of a licence is larger.
const MOST: u64 = 200_000;

const HEAD: &str = "\
raddle is licensed under MIT OR Apache-2.0. The programs also contain the packages below, each under its own licence.
Written by `cargo xtask notices`.
";

/// Writes the file, or with `--check` says whether it is up to date.
pub fn run(root: &Path, rest: &[&str]) -> Result<(), String> {
    let check = match rest {
        [] => false,
        ["--check"] => true,
        _ => return Err("usage: cargo xtask notices [--check]".into()),
    };
    let text = notices(root)?;
    let path = root.join(FILE);
    if !check {
        return fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()));
    }
    match fs::read_to_string(&path) {
        Ok(found) if found == text => Ok(()),
        _ => Err(format!("{FILE} is out of date; `cargo xtask notices` rewrites it")),
    }
}

fn notices(root: &Path) -> Result<String, String> {
    let mut packages = dependencies(root)?;
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    let mut text = HEAD.to_string();
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    text += "\nPackages\n========\n\n";
    for package in &packages {
        let files = licence_files(&package.folder, DEEPEST);
        let without = if files.is_empty() { " (no text in its package)" } else { "" };
        text += &format!("{} {}: {}{without}\n", package.name, package.version, package.licence);
        for file in files {
            let content = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let content = String::from_utf8_lossy(&content).replace('\r', "");
            let lines: Vec<&str> = content.lines().map(str::trim_end).collect();
            users
                .entry(lines.join("\n").trim_matches('\n').to_string())
                .or_default()
                .insert(package.name.clone());
        }
    }
    let mut all: Vec<(BTreeSet<String>, String)> =
        users.into_iter().map(|(text, users)| (users, text)).collect();
    all.sort();
    for (users, licence) in all {
        let title = users.into_iter().collect::<Vec<_>>().join(", ");
        text += &format!("\n{}\n{title}\n\n{licence}\n", "-".repeat(100));
    }
    Ok(text)
}

struct Package {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
}

/// What is compiled into the programs on Linux, packages of ours aside.
fn dependencies(root: &Path) -> Result<Vec<Package>, String> {
    let output = super::cargo(root)
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let packages = list(&metadata["packages"]);
    let own = packages.iter().find(|package| package["name"] == PACKAGE && package["source"].is_null());
    let mut open = vec![text(&own.ok_or("there is no package of ours")?["id"])];
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !reached.insert(id.clone()) {
            continue;
        }
        for dependency in list(&nodes.get(&id).ok_or_else(|| format!("no package {id}"))?["deps"]) {
            // Tools of the build and macros are not shipped, but what they emit may be theirs.
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev") {
                open.push(text(&dependency["pkg"]));
            }
        }
    }
    let of_others =
        |package: &&Value| reached.contains(&text(&package["id"])) && !package["source"].is_null();
    let read = |package: &Value| Package {
        name: text(&package["name"]),
        version: text(&package["version"]),
        licence: text(&package["license"]),
        folder: Path::new(&text(&package["manifest_path"])).parent().unwrap_or(Path::new("")).to_path_buf(),
    };
    Ok(packages.iter().filter(of_others).map(read).collect())
}

fn licence_files(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(|entry| entry.file_name());
    let mut found = Vec::new();
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if kind.is_dir() && depth > 0 {
            found.extend(licence_files(&entry.path(), depth - 1));
        }
        let is_text = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|start| name.starts_with(start));
        let is_code = [".RS", ".TOML", ".PY", ".SH", ".C", ".H"].iter().any(|end| name.ends_with(end));
        let small = entry.metadata().is_ok_and(|found| found.len() <= MOST);
        if kind.is_file() && is_text && !is_code && small {
            found.push(entry.path());
        }
    }
    found
}
