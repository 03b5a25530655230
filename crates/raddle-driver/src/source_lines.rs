//! Lines of source files, read once, for traces that can be shown without their files.

use std::collections::HashMap;

use raddle_trace::Trace;

/// The trace with the source lines it speaks of.
pub fn embedded(mut trace: Trace) -> Trace {
    let mut files: HashMap<String, Option<Vec<String>>> = HashMap::new();
    trace.embed_sources(|file, line| {
        let lines = files.entry(file.to_string()).or_insert_with(|| {
            let bytes = std::fs::read(file).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(String::from).collect())
        });
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    });
    trace
}
