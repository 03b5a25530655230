//! `--restrict-includes`: keeps the files that a source includes to given folders and the system's.
//!
//! The compiler's messages show lines of whatever is included, so a source that others sent could show files that they
//! cannot read. Before such a source is compiled, it is preprocessed; the compiler lists every file that it opens (to
//! a temporary file, as it goes, whether or not there are errors), and its messages are thrown away. Only if all these
//! files, with links followed, lie in the permitted folders is the source compiled.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::run_limited;
use super::{CompileError, CompileOptions, naming};
use crate::temporary::Folder;

/// Where included files may lie.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Restriction {
    pub folders: Vec<PathBuf>,
}

/// Refuses a source that includes something else.
pub(super) fn check(
    folders: &[PathBuf],
    clang: &Path,
    arguments: &[OsString],
    language: &str,
    source: &Path,
    options: &CompileOptions,
) -> Result<(), CompileError> {
    let mut permitted: Vec<PathBuf> = folders.to_vec();
    permitted.extend(options.system_includes.iter().cloned());
    permitted.extend(system_folders(clang, options)?);
    let permitted: Vec<PathBuf> = permitted.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let forbidden = |included: &Path| match included.canonicalize() {
        Ok(real) => !permitted.iter().any(|folder| real.starts_with(folder)),
        // It was there a moment ago: whatever it is, it is not what was checked.
        Err(_) => true,
    };
    let refuse = |included: &Path| {
        Err(CompileError::Forbidden { path: source.to_path_buf(), included: included.to_path_buf() })
    };
    if forbidden(source) {
        return refuse(source);
    }
    // The compiler follows directives in text that is preprocessed already, and its preprocessor does not list them.
    if language != "c" {
        let text = std::fs::read(source);
        let text = text.map_err(|error| CompileError::File { path: source.to_path_buf(), error })?;
        if let Some(line) = including_line(&String::from_utf8_lossy(&text)) {
            return refuse(Path::new(line.trim()));
        }
    }
    let folder = Folder::new("includes");
    let folder = folder.map_err(|error| CompileError::File { path: std::env::temp_dir(), error })?;
    let (headers, dependencies) = (folder.path().join("headers"), folder.path().join("dependencies"));
    // A list that the compiler does not begin is empty, not missing.
    let begin = std::fs::File::create_new(&headers);
    begin.map_err(|error| CompileError::File { path: headers.clone(), error })?;
    let mut command = Command::new(clang);
    command
        .env("CC_PRINT_HEADERS", "1")
        .env("CC_PRINT_HEADERS_FILE", &headers)
        .args(arguments)
        .args(["-x", language, "-E", "-MD", "-MF"])
        .arg(&dependencies)
        .args(["-o", "/dev/null", "--"])
        .arg(naming::argument(source));
    run_limited(&mut command, &options.limits)?;
    let unreadable = |error| CompileError::File { path: headers.clone(), error };
    let listed = std::fs::read(&headers).map_err(unreadable)?;
    for line in String::from_utf8_lossy(&listed).lines() {
        if forbidden(Path::new(line)) {
            return refuse(Path::new(line));
        }
    }
    // Files that are embedded rather than included are only in this list, which is not written after some errors.
    if let Ok(rules) = std::fs::read(&dependencies) {
        for name in prerequisites(&String::from_utf8_lossy(&rules)) {
            if forbidden(Path::new(&name)) {
                return refuse(Path::new(&name));
            }
        }
    }
    Ok(())
}

/// A line that may be a directive which opens a file. Text that looks like one inside a string or a comment counts as
/// well.
fn including_line(text: &str) -> Option<String> {
    let whole = text.replace("\\\r\n", "").replace("\\\n", "").replace("??/\n", "");
    let opens = |line: &&str| {
        let starts = ["#", "%:", "??="].iter().filter_map(|mark| line.find(mark)).min();
        let words = ["include", "import", "embed"];
        starts.is_some_and(|start| words.iter().any(|word| line[start..].contains(word)))
    };
    let split = whole.split(['\n', '\r']);
    // The names of files that markers of lines give are only shown.
    let is_marker = |line: &&str| {
        let rest = line.strip_prefix("# ").unwrap_or("");
        rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.contains("/*")
    };
    split.into_iter().filter(|line| !is_marker(line)).find(opens).map(String::from)
}

/// Where the compiler looks for `<stdio.h>`.
fn system_folders(clang: &Path, options: &CompileOptions) -> Result<Vec<PathBuf>, CompileError> {
    let mut command = Command::new(clang);
    command.args(["-E", "-v", "-x", "c", "-o", "/dev/null", "/dev/null"]);
    let ran = run_limited(&mut command, &options.limits)?;
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    let after = text.split_once("#include <...> search starts here:").map_or("", |(_, after)| after);
    let list = after.split_once("End of search list.").map_or("", |(list, _)| list);
    Ok(list.lines().map(str::trim).filter(|line| line.starts_with('/')).map(PathBuf::from).collect())
}

/// The names behind the colon of a rule of `make`, unquoted.
fn prerequisites(rule: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut name = String::new();
    let mut letters = rule.split_once(": ").map_or("", |(_, rest)| rest).chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.peek() {
                Some('\n') => {
                    letters.next();
                }
                Some(' ' | '#' | '\\') => name.extend(letters.next()),
                _ => name.push('\\'),
            },
            '$' if letters.peek() == Some(&'$') => name.extend(letters.next()),
            ' ' | '\n' => {
                if !name.is_empty() {
                    names.push(std::mem::take(&mut name));
                }
            }
            letter => name.push(letter),
        }
    }
    if !name.is_empty() {
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::prerequisites;

    #[test]
    fn directives_that_open_files_are_found() {
        let directives = [
            "#include \"a.h\"",
            "  # /* x */ include <a.h>",
            "#inc\\\nlude <a.h>",
            "%:include_next <a.h>",
            "??=import <a.h>",
            "/* */ #embed \"a\"",
        ];
        for text in directives {
            assert!(super::including_line(&format!("int x;\n{text}\nint y;\n")).is_some(), "{text}");
        }
        let harmless = "# 1 \"/usr/include/stdio.h\" 1 3\n#pragma pack(1)\nint included;\n";
        assert_eq!(super::including_line(harmless), None);
    }

    #[test]
    fn rules_are_read() {
        let rule = "a.o: a.c /usr/include/x.h \\\n  dir/with\\ space.h \\\n  do$$lar.h\n";
        assert_eq!(prerequisites(rule), ["a.c", "/usr/include/x.h", "dir/with space.h", "do$lar.h"]);
    }
}
