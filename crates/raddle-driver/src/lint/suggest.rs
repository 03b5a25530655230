//! `--suggest`: annotations for what was inferred, as a unified diff of the sources.
//!
//! Suggested are `RADDLE_GUARDED_BY` for global variables of which every access holds one global lock, `RADDLE_MEMBER_GUARDED_BY` for
//! members of structures that one lock guards in all instances (another member, or a global one), `RADDLE_REQUIRES` for functions
//! whose callers all hold one, and `RADDLE_ATOMIC` for functions that are typed atomic and make steps. Each is one change of one
//! line, where the declaration has the expected form; other declarations are left out. The annotated program has the same types:
//! annotations change nothing. As clang reads some of them as attributes of its own (`RADDLE_CLANG_ATTRIBUTES`), a lock must be declared
//! before what names it.
//!
//! Misses: locks that parameters name, what macros declare, variables that are declared before their lock.

use std::collections::BTreeMap;

use raddle_clang::annotations::MemberPlace;
use raddle_ir::{Declaration, GlobalId, Place, Program};
use raddle_static::atomicity::{Atomicities, FunctionType, Guard, Kind};

use super::is_same_file;
use super::suppressions::SourceTexts;

/// Lines around a change.
const CONTEXT: usize = 3;
const HEADER: &str = "#include <raddle.h>";

/// New texts of lines, by index; a text may have several lines.
type Changes = BTreeMap<usize, String>;

/// The changes of all files.
pub fn patch(
    program: &Program,
    inferred: &Atomicities,
    places: &[MemberPlace],
    texts: &mut SourceTexts,
) -> String {
    let Atomicities::Inferred { functions, guards, members, .. } = inferred else { return String::new() };
    let mut files: BTreeMap<String, Changes> = BTreeMap::new();
    for (global, lock) in guarded(guards) {
        let variable = program.global(global);
        if !is_declared_before(program, &lock, variable.place) {
            continue;
        }
        let annotation = format!("RADDLE_GUARDED_BY({lock})");
        change(program, texts, &mut files, variable.place, |line| {
            annotated(line, &variable.name, &annotation)
        });
    }
    for guard in members {
        let is_it = |place: &&MemberPlace| place.structure == guard.structure && place.member == guard.member;
        let Some(declared) = places.iter().find(is_it) else { continue };
        // The file as the program's functions name it, so that it is one patch.
        let file =
            program.files.iter().find(|file| is_same_file(file, &declared.file)).unwrap_or(&declared.file);
        let annotation = format!("RADDLE_MEMBER_GUARDED_BY({})", guard.lock);
        change_line(file, declared.line, texts, &mut files, |line| {
            annotated(line, &guard.member, &annotation)
        });
    }
    for typed in functions {
        let function = program.function(typed.function);
        let mut words = of_function(program, typed);
        if is_required(program, texts, function.place) {
            words.retain(|word| !word.starts_with("RADDLE_REQUIRES"));
        }
        if !typed.requires.iter().all(|lock| is_declared_before(program, lock, function.place)) {
            words.retain(|word| !word.starts_with("RADDLE_REQUIRES"));
        }
        if typed.function == program.entry || function.name == "main" || words.is_empty() {
            continue;
        }
        change(program, texts, &mut files, function.place, |line| {
            let is_definition = line.contains(&format!("{}(", function.name)) && !line.contains("RADDLE_");
            let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
            is_definition.then(|| {
                format!(
                    "{}\n{line}",
                    words.iter().map(|w| format!("{indent}{w}")).collect::<Vec<_>>().join("\n")
                )
            })
        });
    }
    let mut out = String::new();
    for (file, mut changes) in files {
        let Some(lines) = texts.lines(&file).cloned() else { continue };
        if !lines.iter().any(|line| line.contains("raddle.h")) {
            include(&lines, &mut changes);
        }
        out += &diff(&file, &lines, &changes);
    }
    out
}

/// Global variables with one lock for all that is accessed of them.
fn guarded(guards: &[Guard]) -> BTreeMap<GlobalId, String> {
    let mut found: BTreeMap<GlobalId, Option<String>> = BTreeMap::new();
    for guard in guards {
        if let Some(global) = guard.global {
            let known = found.entry(global).or_insert_with(|| guard.lock.clone());
            if *known != guard.lock {
                *known = None;
            }
        }
    }
    found.into_iter().filter_map(|(global, lock)| Some((global, lock?))).collect()
}

fn of_function(program: &Program, typed: &FunctionType) -> Vec<String> {
    let mut words = Vec::new();
    if !typed.requires.is_empty() {
        words.push(format!("RADDLE_REQUIRES({})", typed.requires.join(", ")));
    }
    let steps = typed.kind.is_some_and(|kind| kind.is_atomic() && kind != Kind::Const);
    let declared = program.function(typed.function).declarations.contains(&Declaration::Atomic);
    if steps && !declared {
        words.push("RADDLE_ATOMIC".into());
    }
    words
}

/// Whether the lines before a definition require locks already.
fn is_required(program: &Program, texts: &mut SourceTexts, place: Place) -> bool {
    let Some(lines) = texts.lines(program.file(place.file)) else { return false };
    let line = (place.line as usize).min(lines.len());
    lines[line.saturating_sub(CONTEXT)..line].iter().any(|line| line.contains("RADDLE_REQUIRES("))
}

/// Whether the variable that a lock is, or is part of, is declared in the same file on a line before a place.
fn is_declared_before(program: &Program, lock: &str, place: Place) -> bool {
    let end = lock.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(lock.len());
    let variable = program.globals.iter().find(|global| !global.library && global.name == lock[..end]);
    variable.is_some_and(|global| global.place.file == place.file && global.place.line < place.line)
}

/// Changes the line at a place, if it has the expected form.
fn change(
    program: &Program,
    texts: &mut SourceTexts,
    files: &mut BTreeMap<String, Changes>,
    place: Place,
    to: impl Fn(&str) -> Option<String>,
) {
    change_line(program.file(place.file), place.line, texts, files, to);
}

fn change_line(
    file: &str,
    line: u32,
    texts: &mut SourceTexts,
    files: &mut BTreeMap<String, Changes>,
    to: impl Fn(&str) -> Option<String>,
) {
    let file = file.to_string();
    let Some(index) = (line as usize).checked_sub(1) else { return };
    let Some(original) = texts.lines(&file).and_then(|lines| lines.get(index).cloned()) else { return };
    let changes = files.entry(file).or_default();
    let line = changes.get(&index).unwrap_or(&original);
    if let Some(text) = to(line) {
        changes.insert(index, text);
    }
}

/// The line with an annotation after the declarator of a name.
fn annotated(line: &str, name: &str, annotation: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let code = line.split("//").next().unwrap_or_default();
    for (at, _) in code.match_indices(name) {
        let before = code[..at].chars().next_back();
        let mut end = at + name.len();
        if before.is_some_and(is_part) || code[end..].chars().next().is_some_and(is_part) {
            continue;
        }
        while let Some(length) = code[end..].starts_with('[').then(|| code[end..].find(']')).flatten() {
            end += length + 1;
        }
        if matches!(code[end..].trim_start().chars().next(), Some(';' | '=' | ',')) {
            return Some(format!("{} {annotation}{}", &line[..end], &line[end..]));
        }
    }
    None
}

/// After the last `#include` before the first change.
fn include(lines: &[String], changes: &mut Changes) {
    let Some(first) = changes.keys().next().copied() else { return };
    let last = lines[..first].iter().rposition(|line| line.trim_start().starts_with("#include"));
    match last {
        Some(index) => changes.insert(index, format!("{}\n{HEADER}", lines[index])),
        None => {
            let text = changes.get(&0).cloned().unwrap_or_else(|| lines[0].clone());
            changes.insert(0, format!("{HEADER}\n{text}"))
        }
    };
}

/// A unified diff.
fn diff(file: &str, lines: &[String], changes: &Changes) -> String {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for index in changes.keys() {
        let (from, to) = (index.saturating_sub(CONTEXT), (index + CONTEXT + 1).min(lines.len()));
        match hunks.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => hunks.push((from, to)),
        }
    }
    if hunks.is_empty() {
        return String::new();
    }
    // Paths from the current folder, for `patch -p1`.
    let here = std::env::current_dir().ok();
    let relative =
        here.and_then(|here| Some(std::path::Path::new(file).strip_prefix(here).ok()?.display().to_string()));
    let file = relative.as_deref().unwrap_or(file).trim_start_matches("./").trim_start_matches('/');
    let mut out = format!("--- a/{file}\n+++ b/{file}\n");
    let mut more = 0;
    for (from, to) in hunks {
        let (mut text, mut added) = (String::new(), 0);
        for (index, line) in lines.iter().enumerate().take(to).skip(from) {
            match changes.get(&index) {
                None => text += &format!(" {line}\n"),
                Some(new) => {
                    // The old line stays where it is the first or last of the new ones.
                    let new: Vec<&str> = new.split('\n').collect();
                    let kept = new.iter().position(|n| n == line);
                    if kept.is_none() {
                        text += &format!("-{line}\n");
                    }
                    for (at, n) in new.iter().enumerate() {
                        let sign = if kept == Some(at) { ' ' } else { '+' };
                        text += &format!("{sign}{n}\n");
                    }
                    added += new.len() - 1;
                }
            }
        }
        let count = to - from;
        out += &format!("@@ -{},{count} +{},{} @@\n{text}", from + 1, from + 1 + more, count + added);
        more += added;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarators() {
        let of = |line: &str| annotated(line, "x", "A");
        assert_eq!(of("static int x;"), Some("static int x A;".into()));
        assert_eq!(of("int max, x[2][3] = {0}; // x;"), Some("int max, x[2][3] A = {0}; // x;".into()));
        assert_eq!(of("int xs, x , y;"), Some("int xs, x A , y;".into()));
        for line in ["int (*x)(void);", "DECLARE(x)", "// int x;", "int xx;"] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn hunks() {
        let lines: Vec<String> = (1..=12).map(|n| format!("l{n}")).collect();
        let changes = Changes::from([(1, "new\nl2".to_string()), (11, "last".to_string())]);
        let text = diff("f.c", &lines, &changes);
        let expected = "--- a/f.c\n+++ b/f.c\n@@ -1,5 +1,6 @@\n l1\n+new\n l2\n l3\n l4\n l5\n@@ -9,4 +10,4 @@\n l9\n l10\n l11\n-l12\n+last\n";
        assert_eq!(text, expected);
    }
}
