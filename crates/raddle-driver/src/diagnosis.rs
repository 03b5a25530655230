//! What to add when a program cannot be put together: a folder with a missing header, the file with `main`, a choice between two
//! definitions. Hints only: what is found in folders never changes a check.

use std::collections::VecDeque;
use std::path::{Component, Path, PathBuf};

use raddle_clang::compile::CompileError;
use raddle_clang::load::LoadError;
use raddle_clang::lower::LinkError;

use crate::inputs::{Sources, read_regular};

/// Directory entries that are read for one hint.
const MOST_NAMES: usize = 20_000;
const DEEPEST: usize = 8;
/// Places that are named in one hint.
const MOST_NAMED: usize = 3;
/// A larger source is not searched for `main`.
const MOST_SOURCE: u64 = 1 << 20;

/// What to try. `restricted`: only the folders of the inputs are searched.
pub fn hint(error: &LoadError, sources: &Sources, restricted: bool) -> Option<String> {
    match error {
        LoadError::Compile(CompileError::Refused { message, .. }) => {
            missing_header(message).map(|header| header_hint(&header, sources, restricted))
        }
        LoadError::Link(LinkError::NoMain) => Some(main_hint(sources)),
        LoadError::Link(LinkError::Twice { name, first, second }) if name == "main" => Some(format!(
            "these are several programs: name the files of one (raddle check {first} ... without {second}), or build \
             with CC=raddle-cc and choose one by --link-target NAME"
        )),
        LoadError::Link(LinkError::Twice { name, first, second }) => Some(format!(
            "give only one of them: leave out {first} or {second}, or make `{name}` static where each file is to have its \
             own; if they belong to different programs, name the files of one"
        )),
        LoadError::Link(LinkError::DataModel { .. }) => {
            Some("the files of one program, all with -m32 or all without".into())
        }
        _ => None,
    }
}

/// `'NAME' file not found`, in the words of clang.
fn missing_header(message: &str) -> Option<String> {
    let line = message.lines().find(|line| line.contains("' file not found"))?;
    let before = line.split("' file not found").next()?;
    Some(before.rsplit('\'').next()?.to_string())
}

fn header_hint(header: &str, sources: &Sources, restricted: bool) -> String {
    let wanted = Path::new(header);
    let usual = wanted.components().all(|part| matches!(part, Component::Normal(_)));
    let mut folders: Vec<PathBuf> = Vec::new();
    for root in if usual { roots(sources, restricted) } else { Vec::new() } {
        for file in search(&root, |file| file.ends_with(wanted)) {
            let depth = wanted.components().count();
            let folder = file.ancestors().nth(depth).unwrap_or(&root).to_path_buf();
            let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    if folders.is_empty() {
        return format!(
            "-I FOLDER, with the folder that has {header}; install the package that brings it; or build first, if the \
             build generates it"
        );
    }
    let named: Vec<String> =
        folders.iter().take(MOST_NAMED).map(|folder| format!("-I {}", folder.display())).collect();
    format!("{}, which has {header}", named.join(" or "))
}

/// The folders of the project: those of the inputs, and the checkout or build description above them.
fn roots(sources: &Sources, restricted: bool) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for folder in &sources.folders {
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let marks = [".git", "raddle.toml", "compile_commands.json", "Makefile", "CMakeLists.txt"];
        let has = |folder: &Path, mark: &str| folder.join(mark).symlink_metadata().is_ok();
        let mut above: Vec<&Path> =
            whole.ancestors().filter(|folder| folder.parent().is_some()).take(DEEPEST).collect();
        // A checkout inside another one is a project of its own.
        if let Some(checkout) = above.iter().position(|folder| has(folder, ".git")) {
            above.truncate(checkout + 1);
        }
        let root = above.into_iter().rfind(|folder| marks.iter().any(|mark| has(folder, mark)));
        let root = root.filter(|_| !restricted).unwrap_or(&whole);
        if !roots.iter().any(|known| root.starts_with(known)) {
            roots.push(root.to_path_buf());
        }
    }
    roots.into_iter().map(|root| shown(&root)).collect()
}

/// Relative to the current folder, where it lies in it.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    path.strip_prefix(&here).map_or_else(|_| path.to_path_buf(), Path::to_path_buf)
}

/// Files below a folder, the nearest first, hidden folders and links aside.
fn search(root: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut names = 0;
    let mut queue = VecDeque::from([(root.to_path_buf(), 0)]);
    while let Some((folder, depth)) = queue.pop_front() {
        let readable = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let Ok(entries) = std::fs::read_dir(readable) else { continue };
        let mut entries: Vec<_> = entries.flatten().take(MOST_NAMES).collect();
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            names += 1;
            if names > MOST_NAMES {
                return found;
            }
            let path = folder.join(entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && !hidden && depth < DEEPEST {
                queue.push_back((path, depth + 1));
            } else if kind.is_file() && wanted(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Which file beside the inputs may have `main`.
fn main_hint(sources: &Sources) -> String {
    let is_input = |path: &Path| sources.files.iter().any(|file| same(file, path));
    for folder in &sources.folders {
        let folder = shown(&folder.canonicalize().unwrap_or_else(|_| folder.clone()));
        let readable = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let entries = std::fs::read_dir(readable).into_iter().flatten().flatten().take(MOST_NAMES);
        let mut paths: Vec<PathBuf> = entries.map(|entry| folder.join(entry.file_name())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "c") && !is_input(path));
        paths.sort();
        if let Some(path) = paths.iter().take(200).find(|path| may_have_main(path)) {
            return format!("add the source file {}, which has a `main`", path.display());
        }
    }
    let source = sources.files.first().map(|file| file.display().to_string()).unwrap_or_default();
    format!(
        "add the source file that defines it, or a harness for functions of a library: raddle harness {source} --entry \
         FUNCTION"
    )
}

fn same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// By its text: a word `main` before a parenthesis.
fn may_have_main(path: &Path) -> bool {
    let Ok(bytes) = read_regular(path, MOST_SOURCE) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    text.match_indices("main").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + "main".len()..].trim_start();
        before.is_some_and(char::is_whitespace) && after.starts_with('(')
    })
}

/// Where the C files of a folder without any are.
pub fn below(folder: &Path) -> Option<String> {
    let files = search(folder, |file| file.extension().is_some_and(|extension| extension == "c"));
    let mut folders: Vec<String> = Vec::new();
    for file in &files {
        let name = file.parent().unwrap_or(folder).display().to_string();
        if !folders.contains(&name) {
            folders.push(name);
        }
    }
    let named = folders.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    (!folders.is_empty()).then(|| format!("the folders below that have some: {named}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_header_is_read_from_the_message() {
        let message =
            "In file included from a.c:1:\n./b.h:2:10: fatal error: 'sub/deep.h' file not found\n#include";
        assert_eq!(missing_header(message), Some("sub/deep.h".into()));
        assert_eq!(missing_header("error: undeclared identifier 'x'"), None);
    }
}
