//! Source lines for the trace view, each file read once. A file that cannot be read has no lines: the trace may
//! carry them itself.
//!
//! A page carries whole files, and may be passed on. A trace can name any file, so only such inputs go into a page whose
//! content has the fingerprint that the trace has of them: the writer of the trace had them already.

use raddle_report::SourceLines;
use raddle_trace::{ContentHash, Trace};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// As much as is compiled.
const MOST_SOURCE: u64 = 64 << 20;

#[derive(Default)]
pub struct SourceFiles {
    /// No file is read: a trace can name any, and what may be read is restricted.
    closed: bool,
    files: RefCell<HashMap<String, Option<Vec<String>>>>,
}

impl SourceFiles {
    pub fn new(closed: bool) -> SourceFiles {
        SourceFiles { closed, ..SourceFiles::default() }
    }
}

impl SourceLines for SourceFiles {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        if self.closed {
            return None;
        }
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_string()).or_insert_with(|| {
            let bytes = raddle_driver::read_regular(Path::new(file), MOST_SOURCE).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
        });
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    }
}

/// A longer input is shown by the lines that the trace carries.
const MOST_INPUT: u64 = 8 << 20;

/// The lines of the inputs of some traces.
pub struct OwnSources(HashMap<String, Vec<String>>);

impl OwnSources {
    /// Relative names are looked for in the working folder, then in `beside`, where the trace lies.
    pub fn of(traces: &[Trace], beside: Option<&Path>) -> OwnSources {
        let mut files = HashMap::new();
        for input in traces.iter().flat_map(|trace| &trace.program.inputs) {
            let name = Path::new(&input.path);
            let candidates =
                [Some(name.to_path_buf()), beside.map(|folder| folder.join(name)), flat(beside, name)];
            let found = candidates.into_iter().flatten().find_map(|path| content(&path, input.hash));
            if let (Some(lines), false) = (found, files.contains_key(&input.path)) {
                files.insert(input.path.clone(), lines);
            }
        }
        OwnSources(files)
    }
}

/// A trace that was moved together with its source.
fn flat(beside: Option<&Path>, name: &Path) -> Option<PathBuf> {
    Some(beside?.join(name.file_name()?))
}

fn content(path: &Path, hash: ContentHash) -> Option<Vec<String>> {
    let bytes = raddle_driver::read_regular(path, MOST_INPUT).ok()?;
    let same = ContentHash::of(&bytes) == hash;
    same.then(|| String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
}

impl SourceLines for OwnSources {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        self.0.get(file)?.get((line as usize).checked_sub(1)?).cloned()
    }
}
