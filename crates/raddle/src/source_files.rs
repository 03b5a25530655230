//! Source lines for the trace view, each file read once. A file that cannot be read has no lines: the trace may
//! carry them itself.

use raddle_report::SourceLines;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

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
