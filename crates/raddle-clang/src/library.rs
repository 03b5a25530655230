//! The library models: C sources embedded in the binary, compiled once per compiler and data model, and kept.
//!
//! The compiled text lies in the user's cache folder under a name made of the compiler's version, the data model and
//! the content of all models, so a changed model or another compiler never meets an old text; its last line is a hash
//! over the rest, so a damaged text is compiled anew; sources are compared with those in the binary. A folder that
//! other users can write to is not used (see `library/cache.rs`). Without a folder that can be used the models are
//! compiled in one that is removed afterwards, which only costs time. Of the texts only those are parsed that define a
//! name which the program needs.

pub(crate) mod cache;

pub use cache::{folder as cache_folder, user};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};

use crate::compile::{Clang, CompileError, CompileOptions, DataModel, OptLevel, RunLimits, to_llvm_text};
use crate::llvm::ast::Linkage;
use crate::llvm::{Module, parse};
use crate::lower::{Origin, Unit};
use crate::temporary::{Beside, Folder, make_folder};

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../models/", $name)))),*]
    };
}

/// The models, by file name.
pub const MODELS: &[(&str, &str)] = embedded![
    "atomic_library.c",
    "calendar.c",
    "ctype.c",
    "errno.c",
    "files.c",
    "futex.c",
    "getopt.c",
    "given_files.c",
    "havoc.c",
    "locale.c",
    "look_at.c",
    "math.c",
    "process.c",
    "pthread_attr.c",
    "pthread_barrier.c",
    "pthread_cancel.c",
    "pthread_cond.c",
    "pthread_key.c",
    "pthread_mutex.c",
    "pthread_rwlock.c",
    "pthread_spin.c",
    "pthread_thread.c",
    "sched.c",
    "semaphore.c",
    "signal.c",
    "socket.c",
    "stdio_input.c",
    "stdio_output.c",
    "stdlib.c",
    "stdlib_memory.c",
    "stdlib_numbers.c",
    "string.c",
    "string_errors.c",
    "string_memory.c",
    "system.c",
    "threads.c",
    "time.c",
    "unistd.c",
    "verifier.c",
    "waiters.c",
];

/// Headers of the models, and `raddle.h` for users.
const HEADERS: &[(&str, &str)] = embedded!["files.h", "kernel.h", "model.h", "stream.h"];
const USER_HEADER: (&str, &str) = ("include/raddle.h", include_str!("../models/include/raddle.h"));

/// What the table of modelled functions says.
pub const FUNCTIONS: &str = include_str!("../models/functions.txt");

/// Why the models are not available: an internal error, or one of the machine.
#[derive(Debug)]
pub enum LibraryError {
    Folder { path: PathBuf, error: std::io::Error },
    Compile { model: &'static str, error: CompileError },
    Read { model: &'static str, message: String },
}

impl std::fmt::Display for LibraryError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            LibraryError::Folder { path, error } => {
                write!(
                    f,
                    "the models cannot be written to {}: {error}; set XDG_CACHE_HOME or TMPDIR",
                    path.display()
                )
            }
            LibraryError::Compile { model, error } => {
                write!(f, "the library model {model} does not compile: {error}")
            }
            LibraryError::Read { model, message } => {
                write!(f, "the library model {model} cannot be read: {message}")
            }
        }
    }
}

impl std::error::Error for LibraryError {}

const FLAGS: &[&str] = &["-ffreestanding", "-fno-builtin", "-gline-tables-only", "-fno-sanitize=all"];

/// A hash over everything that the compiled models depend on, as text.
fn content_key(clang: &Clang, model: DataModel) -> String {
    let mut hash = Sha256::new();
    // Each piece with its length, so that no two lists of pieces are one text.
    let mut feed = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    feed(format!("{:?} {model:?} {}", clang.version, FLAGS.join(" ")).as_bytes());
    feed(clang.path.as_os_str().as_encoded_bytes());
    for (name, text) in MODELS.iter().chain(HEADERS).chain([&USER_HEADER]) {
        feed(name.as_bytes());
        feed(text.as_bytes());
    }
    hexadecimal(&hash.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The models for one compiler and data model, on disk.
pub struct Library {
    folder: PathBuf,
    /// Of what the compiled texts depend on.
    key: String,
    clang: Clang,
    model: DataModel,
    limits: RunLimits,
    /// Where no cache can be had; removed when this is dropped.
    _passing: Option<Folder>,
}

impl Library {
    /// Makes the folder ready: sources and headers in it.
    pub fn open(clang: &Clang, model: DataModel, limits: &RunLimits) -> Result<Library, LibraryError> {
        let key = content_key(clang, model);
        let library = |folder: PathBuf, passing: Option<Folder>| Library {
            folder,
            key: key.clone(),
            clang: clang.clone(),
            model,
            limits: limits.clone(),
            _passing: passing,
        };
        // Half of the digits distinguish any two, and keep paths short.
        if let Some(folder) = cache::folder(&key[..32])
            && prepare(&folder).is_ok()
        {
            return Ok(library(folder, None));
        }
        let passing = Folder::new("models");
        let passing = passing.map_err(|error| LibraryError::Folder { path: std::env::temp_dir(), error })?;
        let folder = passing.path().to_path_buf();
        match prepare(&folder) {
            Ok(()) => Ok(library(folder, Some(passing))),
            Err(error) => Err(LibraryError::Folder { path: folder, error }),
        }
    }

    /// The folder of `raddle.h`.
    pub fn include_folder(&self) -> PathBuf {
        self.folder.join("include")
    }

    fn text(&self, model: &'static str) -> Result<Vec<u8>, LibraryError> {
        let kept = self.folder.join(format!("{model}.ll"));
        if let Some(bytes) = cache::read(&kept)
            && is_whole(&bytes, &self.key, model)
        {
            return Ok(bytes);
        }
        let options = CompileOptions {
            clang: Some(self.clang.path.clone()),
            optimize: OptLevel::O0,
            data_model: self.model,
            extra_flags: FLAGS.iter().map(|f| f.into()).collect(),
            limits: self.limits.clone(),
            ..Default::default()
        };
        let path = self.folder.join(model);
        let text = to_llvm_text(&path, &options).map_err(|error| LibraryError::Compile { model, error })?;
        // Kept only when whole: written aside, then renamed. Another process may do the same at the same time.
        let mut bytes = text.bytes;
        bytes.extend_from_slice(&sum_line(&bytes, &self.key, model));
        let _ = Beside::new(&kept).and_then(|file| file.finish(&bytes));
        Ok(bytes)
    }

    /// All texts, compiled where they are missing, by several threads.
    fn texts(&self) -> Result<Vec<(&'static str, Vec<u8>)>, LibraryError> {
        let workers = std::thread::available_parallelism().map_or(2, |n| n.get()).min(8);
        let next = std::sync::atomic::AtomicUsize::new(0);
        let results = std::sync::Mutex::new(BTreeMap::new());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some((name, _)) = MODELS.get(index) else { break };
                        let text = self.text(name);
                        results.lock().expect("no worker panics").insert(index, (*name, text));
                    }
                });
            }
        });
        let results = results.into_inner().expect("no worker panics");
        results.into_values().map(|(name, text)| text.map(|t| (name, t))).collect()
    }

    /// The model units that a program needs, in the order of the table.
    pub fn units_for(&self, user: &[Unit], more: &[&str]) -> Result<Vec<Unit>, LibraryError> {
        let texts = self.texts()?;
        let mut provider: FxHashMap<String, usize> = FxHashMap::default();
        for (index, (_, text)) in texts.iter().enumerate() {
            for name in defined_names(text) {
                provider.entry(name).or_insert(index);
            }
        }
        let mut wanted: Vec<String> = ["exit", "__raddle_main_tcb"].map(String::from).to_vec();
        wanted.extend(more.iter().map(|name| name.to_string()));
        let mut modules: BTreeMap<usize, Module> = BTreeMap::new();
        let own: FxHashSet<&str> = user.iter().flat_map(|u| defined(&u.module)).collect();
        for unit in user {
            wanted.extend(undefined(&unit.module).map(String::from));
        }
        let mut seen = FxHashSet::default();
        while let Some(name) = wanted.pop() {
            if !seen.insert(name.clone()) || own.contains(name.as_str()) {
                continue;
            }
            let Some(index) = provider.get(&name) else { continue };
            if modules.contains_key(index) {
                continue;
            }
            let (model, text) = &texts[*index];
            let module = parse(text).map_err(|e| LibraryError::Read { model, message: e.to_string() })?;
            wanted.extend(undefined(&module).map(String::from));
            modules.insert(*index, module);
        }
        let unit = |(index, module): (usize, Module)| Unit {
            name: format!("model {}", texts[index].0),
            module,
            origin: Origin::Library,
        };
        Ok(modules.into_iter().map(unit).collect())
    }
}

/// Writes the sources that are not there or not as they should be: a cache may be damaged.
fn prepare(folder: &Path) -> std::io::Result<()> {
    match make_folder(&folder.join("include")) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if !cache::is_private(&folder.join("include")) {
        return Err(std::io::Error::from(std::io::ErrorKind::PermissionDenied));
    }
    for (name, text) in MODELS.iter().chain(HEADERS).chain([&USER_HEADER]) {
        let path = folder.join(name);
        if cache::read(&path).as_deref() != Some(text.as_bytes()) {
            Beside::new(&path)?.finish(text.as_bytes())?;
        }
    }
    Ok(())
}

/// The last line of a text that is kept: a comment with a hash over all before it, and over what it was made from, so
/// that the text of another model or another compiler is not taken for it.
fn sum_line(text: &[u8], key: &str, model: &str) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(key.as_bytes());
    hash.update((model.len() as u64).to_le_bytes());
    hash.update(model.as_bytes());
    hash.update(text);
    format!("; sha256 {}\n", hexadecimal(&hash.finalize())).into_bytes()
}

fn is_whole(text: &[u8], key: &str, model: &str) -> bool {
    let line = sum_line(b"", key, model).len();
    let Some(end) = text.len().checked_sub(line) else { return false };
    text[end..] == sum_line(&text[..end], key, model)
}

/// Names that a text defines, found without parsing: `define ... @name(` and `@name = ...` lines.
fn defined_names(text: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.split(|b| *b == b'\n') {
        let is_function = line.starts_with(b"define ") && !line.starts_with(b"define internal ");
        let is_variable = line.starts_with(b"@");
        if !is_function && !is_variable {
            continue;
        }
        let Ok(line) = std::str::from_utf8(line) else { continue };
        if is_variable && [" private ", " internal ", " external "].iter().any(|w| line.contains(w)) {
            continue;
        }
        let Some(start) = line.find('@') else { continue };
        let name: String =
            line[start + 1..].chars().take_while(|c| c.is_alphanumeric() || "_.$".contains(*c)).collect();
        names.push(name);
    }
    names
}

fn defined(module: &Module) -> impl Iterator<Item = &str> {
    let functions =
        module.functions.iter().filter(|f| !f.is_declaration() && !f.linkage.is_local()).map(|f| f.name);
    let variables =
        module.variables.iter().filter(|v| v.initializer.is_some() && !v.linkage.is_local()).map(|v| v.name);
    functions.chain(variables).map(|name| module.text(name))
}

fn undefined(module: &Module) -> impl Iterator<Item = &str> {
    let functions = module
        .functions
        .iter()
        .filter(|f| f.is_declaration() || f.linkage == Linkage::AvailableExternally)
        .map(|f| f.name);
    let variables = module.variables.iter().filter(|v| v.initializer.is_none()).map(|v| v.name);
    functions.chain(variables).map(|name| module.text(name)).filter(|name| !name.starts_with("llvm."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_file_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the models are there")
            .map(|e| e.expect("readable").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".c"))
            .collect();
        files.sort();
        let embedded: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, embedded);
    }

    #[test]
    fn a_damaged_text_is_noticed() {
        let mut text = b"define void @f() {\n".to_vec();
        text.extend(sum_line(&text, "key", "a.c"));
        let is_whole = |text: &[u8]| is_whole(text, "key", "a.c");
        assert!(is_whole(&text));
        assert!(!super::is_whole(&text, "key", "b.c") && !super::is_whole(&text, "another", "a.c"));
        assert!(!is_whole(&text[1..]) && !is_whole(&text[..text.len() - 1]) && !is_whole(b""));
        text[3] ^= 1;
        assert!(!is_whole(&text));
    }

    #[test]
    fn names_are_found_without_parsing() {
        let text = b"define dso_local i32 @f(i32 %x) {\n}\ndefine internal void @g() {\n@v = dso_local global i32 0\n@e = external global i32\n";
        assert_eq!(defined_names(text), ["f", "v"]);
    }
}
