//! From what the user named to source files: folders and compilation databases are opened up.

use std::path::{Path, PathBuf};

use crate::error::DriverError;

/// The sources, and what a compilation database adds to the compiler's command line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    pub files: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub include_paths: Vec<PathBuf>,
}

pub fn expand(inputs: &[PathBuf]) -> Result<Sources, DriverError> {
    let mut sources = Sources::default();
    for input in inputs {
        let metadata = std::fs::metadata(input)
            .map_err(|error| DriverError::input(format!("cannot read {}: {error}", input.display())))?;
        if metadata.is_dir() {
            let database = input.join("compile_commands.json");
            if database.is_file() {
                compile_commands(&database, &mut sources)?;
            } else {
                folder(input, &mut sources)?;
            }
        } else if input.file_name().is_some_and(|n| n == "compile_commands.json") {
            compile_commands(input, &mut sources)?;
        } else {
            match input.extension().and_then(|e| e.to_str()) {
                Some("bp" | "tts") => {
                    return Err(DriverError::input(format!("{}: this is no C program", input.display())));
                }
                _ if raddle_clang::load::is_input(input) => sources.files.push(input.clone()),
                _ => {
                    return Err(DriverError::input(format!(
                        "{}: neither C (.c, .i) nor LLVM (.ll, .bc)",
                        input.display()
                    ))
                    .hint("rename the file, or give its folder or compile_commands.json"));
                }
            }
        }
    }
    // A file that is named twice, perhaps once by its folder, is one source.
    let mut seen = std::collections::BTreeSet::new();
    sources.files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    Ok(sources)
}

fn folder(path: &Path, sources: &mut Sources) -> Result<(), DriverError> {
    let unreadable = |error| DriverError::input(format!("cannot read {}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|e| e == "c") {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(DriverError::input(format!("{}: no .c file in this folder", path.display())));
    }
    files.sort();
    sources.files.extend(files);
    Ok(())
}

fn compile_commands(path: &Path, sources: &mut Sources) -> Result<(), DriverError> {
    let wrong = |what: String| {
        DriverError::input(format!("{}: {what}", path.display())).hint("a JSON array of objects with `file`")
    };
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let entries = value.as_array().ok_or_else(|| wrong("not a compilation database".into()))?;
    for entry in entries {
        let file = entry
            .get("file")
            .and_then(|f| f.as_str())
            .ok_or_else(|| wrong("an entry without `file`".into()))?;
        let folder = entry.get("directory").and_then(|d| d.as_str()).unwrap_or(".");
        if !file.ends_with(".c") {
            continue;
        }
        sources.files.push(Path::new(folder).join(file));
        let words: Vec<String> = match (entry.get("arguments"), entry.get("command")) {
            (Some(list), _) => list
                .as_array()
                .map(|a| a.iter().filter_map(|w| w.as_str().map(String::from)).collect())
                .unwrap_or_default(),
            (None, Some(command)) => {
                command.as_str().unwrap_or("").split_whitespace().map(String::from).collect()
            }
            _ => Vec::new(),
        };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            for (flag, define) in [("-D", true), ("-I", false)] {
                if let Some(rest) = word.strip_prefix(flag) {
                    let value =
                        if rest.is_empty() { words.next().unwrap_or_default() } else { rest.to_string() };
                    if define && !sources.defines.contains(&value) {
                        sources.defines.push(value);
                    } else if !define {
                        let include = Path::new(folder).join(value);
                        if !sources.include_paths.contains(&include) {
                            sources.include_paths.push(include);
                        }
                    }
                    break;
                }
            }
        }
    }
    if sources.files.is_empty() {
        return Err(wrong("no C file in it".into()));
    }
    Ok(())
}
