//! Lines of source files, read once, for traces that can be shown without their files.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use raddle_trace::Trace;

use crate::inputs::read_regular;

/// As much as is compiled.
const MOST_SOURCE: u64 = 64 << 20;

/// The trace with the source lines it speaks of.
pub fn embedded(trace: Trace) -> Trace {
    embedded_from(trace, &BTreeMap::new())
}

/// The same, where the program calls some files by other names than their paths.
pub fn embedded_from(mut trace: Trace, names: &BTreeMap<PathBuf, String>) -> Trace {
    let path_of = |file: &str| names.iter().find(|(_, name)| *name == file).map(|(path, _)| path.clone());
    let mut files: HashMap<String, Option<Vec<String>>> = HashMap::new();
    trace.embed_sources(|file, line| {
        let lines = files.entry(file.to_string()).or_insert_with(|| {
            let path = path_of(file).unwrap_or_else(|| PathBuf::from(file));
            let bytes = read_regular(&path, MOST_SOURCE).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(String::from).collect())
        });
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    });
    trace
}
