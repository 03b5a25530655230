//! Compilation databases (`compile_commands.json`), by the rules of the format: an array of objects with `file`,
//! `directory`, and either `arguments` (a list of words) or `command` (words with shell quoting).
//!
//! Each file has its own words. What they may say is decided by [`crate::flags`].

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::flags::{Refused, Vetted, vet_command};
use crate::shell_words;

/// One C source of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Relative to where the database is, or absolute.
    pub file: PathBuf,
    pub flags: Vetted,
}

/// What a database has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Database {
    pub entries: Vec<Entry>,
    /// Files of other languages, left out.
    pub left_out: Vec<String>,
}

/// Why a database is of no use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DatabaseError {
    /// Not of the format.
    Form(String),
    /// Flags that clang must not see, or that nothing is known of.
    Flags { file: String, number: usize, flags: Vec<String> },
}

/// Reads the text of a database that lies in `folder`.
pub fn read(text: &str, folder: &Path, trust: bool) -> Result<Database, DatabaseError> {
    let wrong = |what: String| DatabaseError::Form(what);
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let entries = value.as_array().ok_or_else(|| wrong("not a compilation database".into()))?;
    let mut database = Database::default();
    for (position, entry) in entries.iter().enumerate() {
        let number = position + 1;
        let text_of = |name: &str| match entry.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.contains('\0') => {
                Err(wrong(format!("`{name}` of entry {number} has a zero byte in it")))
            }
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(wrong(format!("`{name}` of entry {number} is not a string"))),
        };
        let file = text_of("file")?.ok_or_else(|| wrong(format!("entry {number} without `file`")))?;
        // Other files than C are another compiler's business.
        if !matches!(Path::new(file).extension().and_then(|e| e.to_str()), Some("c" | "i")) {
            database.left_out.push(file.to_string());
            continue;
        }
        let own_folder = folder.join(text_of("directory")?.unwrap_or("."));
        let own_folder = own_folder.components().collect::<PathBuf>();
        let path = own_folder.join(file);
        let words = match (entry.get("arguments"), text_of("command")?) {
            (Some(Value::Array(list)), _) => {
                let word = |word: &Value| word.as_str().filter(|w| !w.contains('\0')).map(String::from);
                let words: Option<Vec<String>> = list.iter().map(word).collect();
                words.ok_or_else(|| {
                    wrong(format!("`arguments` of entry {number} has a word that is not a string"))
                })?
            }
            (Some(Value::Null) | None, Some(command)) => shell_words::split(command)
                .map_err(|what| wrong(format!("`command` of entry {number} has {what}")))?,
            (Some(Value::Null) | None, None) => Vec::new(),
            (Some(_), _) => {
                return Err(wrong(format!("`arguments` of entry {number} (`{file}`) is not a list")));
            }
        };
        let flags = vet_command(&words, &path, &own_folder, trust)
            .map_err(|Refused(flags)| DatabaseError::Flags { file: file.to_string(), number, flags })?;
        database.entries.push(Entry { file: path, flags });
    }
    Ok(database)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags_of(text: &str) -> Vec<Vec<String>> {
        let database = read(text, Path::new("/db"), false).unwrap();
        database.entries.into_iter().map(|entry| entry.flags.kept).collect()
    }

    #[test]
    fn each_file_has_its_own_words() {
        let text = r#"[
            {"directory": "/p", "file": "a.c", "arguments": ["cc", "-DBAD", "-c", "a.c"]},
            {"directory": "b", "file": "b.c", "command": "cc -UBAD -I inc '-DS=\"x y\"' -o b.o -c b.c"},
            {"file": "c.c"}
        ]"#;
        let expected = vec![
            vec!["-DBAD".to_string()],
            ["-UBAD", "-I", "/db/b/inc", "-DS=\"x y\""].map(String::from).to_vec(),
            vec![],
        ];
        assert_eq!(flags_of(text), expected);
        let files: Vec<PathBuf> =
            read(text, Path::new("/db"), false).unwrap().entries.into_iter().map(|e| e.file).collect();
        assert_eq!(files, ["/p/a.c", "/db/b/b.c", "/db/c.c"].map(PathBuf::from));
    }

    #[test]
    fn what_is_refused_is_named_with_its_entry() {
        let text = r#"[{"file": "a.c"}, {"file": "b.c", "command": "cc -fplugin=./x.so b.c"}]"#;
        let error = read(text, Path::new("/db"), false).unwrap_err();
        let flags = vec!["-fplugin=./x.so".to_string()];
        assert_eq!(error, DatabaseError::Flags { file: "b.c".into(), number: 2, flags });
    }

    #[test]
    fn other_forms_are_errors() {
        for text in [
            "",
            "{}",
            "[1]",
            "[{}]",
            r#"[{"file": 1}]"#,
            r#"[{"file": "a.c", "directory": 1}]"#,
            r#"[{"file": "a.c", "arguments": "x"}]"#,
            r#"[{"file": "a.c", "arguments": [1]}]"#,
            r#"[{"file": "a.c", "command": "cc 'x"}]"#,
            "[{\"file\": \"a\\u0000.c\"}]",
        ] {
            assert!(matches!(read(text, Path::new("/db"), false), Err(DatabaseError::Form(_))), "{text}");
        }
    }
}
