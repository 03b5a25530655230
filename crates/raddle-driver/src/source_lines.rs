//! Lines of source files, read once, for traces that can be shown without their files.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use raddle_trace::Trace;

use crate::inputs::read_regular;

/// As much as is compiled.
const MOST_SOURCE: u64 = 64 << 20;

/// Where source lines come from. A `#line` can name any file, so the restriction of included files holds here too.
#[derive(Clone, Debug, Default)]
pub struct Readable {
    /// What the program calls single files, where that is not their path.
    pub names: BTreeMap<PathBuf, String>,
    /// Nothing outside these is read.
    pub folders: Option<Vec<PathBuf>>,
}

impl Readable {
    /// The file behind a name, if it may be read.
    fn path(&self, file: &str) -> Option<PathBuf> {
        let moved = self.names.iter().find(|(_, name)| *name == file).map(|(path, _)| path.clone());
        let path = moved.unwrap_or_else(|| PathBuf::from(file));
        let Some(folders) = &self.folders else { return Some(path) };
        let real = path.canonicalize().ok()?;
        let inside = |folder: &PathBuf| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder));
        folders.iter().any(inside).then_some(real)
    }
}

/// The trace with the source lines it mentions.
pub fn embedded(trace: Trace) -> Trace {
    embedded_from(trace, &Readable::default())
}

/// The same, from files that may be read.
pub fn embedded_from(mut trace: Trace, readable: &Readable) -> Trace {
    let mut files: HashMap<String, Option<Vec<String>>> = HashMap::new();
    trace.embed_sources(|file, line| {
        let lines = files.entry(file.to_string()).or_insert_with(|| lines(&readable.path(file)?));
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    });
    trace
}

fn lines(path: &Path) -> Option<Vec<String>> {
    let bytes = read_regular(path, MOST_SOURCE).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(String::from).collect())
}
