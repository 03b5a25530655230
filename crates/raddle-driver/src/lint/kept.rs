//! What was found in programs, kept by the content of their files, the request and this build (`raddle_clang::kept`).
//!
//! Kept is what the analysis says before suppressions: comments count as they are now. Nothing is kept of a request that wants executions or a
//! patch, and nothing with flags that are passed on unseen (`--trust-flags`), which may name any file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_clang::compile::CompileOptions;
use raddle_clang::kept::{Kept, Key, source_key, this_program};

use super::{Analysed, LintRequest};

/// The kinds of entries.
const FINDINGS: &str = "lint";
const HAS_MAIN: &str = "main";

/// The keys of the sources, and the folder.
pub struct Known {
    kept: Kept,
    keys: BTreeMap<PathBuf, String>,
    /// Of what findings depend on beside the sources; `None`: none are kept.
    request: Option<Key>,
}

impl Known {
    pub fn of(request: &LintRequest, files: &[PathBuf], options: &CompileOptions) -> Option<Known> {
        if !request.cache || request.compile.trust_flags {
            return None;
        }
        let kept = Kept::open()?;
        let (next, keys) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let workers = request.budget.workers.clamp(1, 8);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if let Some(key) = source_key(file, options) {
                            keys.lock()
                                .unwrap_or_else(|poisoned| poisoned.into_inner())
                                .insert(file.clone(), key);
                        }
                    }
                });
            }
        });
        let keys = keys.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let is_kept = request.confirm.is_none() && !request.suggest;
        let mut key = Key::new(FINDINGS).with(this_program()?.as_bytes());
        key = key.with(format!("{:?} {}", request.rules, request.show_types).as_bytes());
        Some(Known { kept, keys, request: is_kept.then_some(key) })
    }

    /// For the compiler.
    pub fn texts(&self) -> (Kept, BTreeMap<PathBuf, String>) {
        (self.kept.clone(), self.keys.clone())
    }

    fn key(&self, files: &[PathBuf]) -> Option<String> {
        let mut key = self.request.clone()?;
        for file in files {
            key = key.with(file.as_os_str().as_encoded_bytes()).with(self.keys.get(file)?.as_bytes());
        }
        Some(key.text())
    }

    /// What was found in the program of these files.
    pub fn known(&self, files: &[PathBuf]) -> Option<Analysed> {
        let bytes = self.kept.read(FINDINGS, &self.key(files)?)?;
        serde_json::from_slice(&bytes).ok()
    }

    pub fn keep(&self, files: &[PathBuf], analysed: &Analysed) {
        if let (Some(key), Ok(bytes)) = (self.key(files), serde_json::to_vec(analysed)) {
            self.kept.write(FINDINGS, &key, &bytes);
        }
    }

    /// Notes whether a file has a `main` of its own.
    pub fn note_main(&self, file: &PathBuf, has_main: bool) {
        if let Some(key) = self.keys.get(file) {
            self.kept.write(HAS_MAIN, key, if has_main { b"yes" } else { b"no" });
        }
    }

    /// Two of these files are known to define `main`: each is a program.
    pub fn are_separate(&self, files: &[PathBuf]) -> bool {
        let has_main = |file: &&PathBuf| {
            let key = self.keys.get(*file);
            key.and_then(|key| self.kept.read(HAS_MAIN, key)).is_some_and(|known| known == b"yes")
        };
        files.iter().filter(has_main).count() > 1
    }

    pub fn tidy(&self) {
        self.kept.tidy();
    }
}
