//! The corpus: every `.c` file under `tests/programs`, by path.

use std::path::{Path, PathBuf};

use crate::Expectation;

#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    /// `safe/mutex/name`.
    pub name: String,
    pub expectation: Expectation,
}

/// All programs below a folder, sorted; an error names the file whose header is wrong.
pub fn programs(root: &Path) -> Result<Vec<Program>, String> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    files.sort();
    let mut out = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let expectation = Expectation::parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).with_extension("").display().to_string();
        out.push(Program { path, name, expectation });
    }
    Ok(out)
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "c") {
            out.push(path);
        }
    }
    Ok(())
}
