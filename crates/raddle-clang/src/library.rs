//! The library models: C sources embedded in the binary, compiled once per compiler and data model, and kept.
//!
//! The compiled text lies in the user's cache folder under a name made of the compiler's version, the data model and
//! the content of all models, so a changed model or another compiler never meets an old text; its last line is a sum over
//! the rest, so a damaged text is compiled anew. A folder that cannot be written only costs time: the models are then
//! compiled in a folder that is removed afterwards. Of the texts only those are parsed that define a name which the
//! program needs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compile::{Clang, CompileError, CompileOptions, DataModel, OptLevel, to_llvm_text};
use crate::llvm::ast::Linkage;
use crate::llvm::{Module, parse};
use crate::lower::{Origin, Unit};

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../models/", $name)))),*]
    };
}

/// The models, by file name.
pub const MODELS: &[(&str, &str)] = embedded![
    "atomic_library.c",
    "ctype.c",
    "errno.c",
    "havoc.c",
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
    "stdio_input.c",
    "stdio_output.c",
    "stdlib.c",
    "stdlib_memory.c",
    "stdlib_numbers.c",
    "string.c",
    "string_errors.c",
    "string_memory.c",
    "threads.c",
    "time.c",
    "unistd.c",
    "verifier.c",
    "waiters.c",
];

/// Headers of the models, and `raddle.h` for users.
const HEADERS: &[(&str, &str)] = embedded!["kernel.h", "model.h", "stream.h"];
const USER_HEADER: (&str, &str) = ("include/raddle.h", include_str!("../../../models/include/raddle.h"));

/// What the table of modelled functions says.
pub const FUNCTIONS: &str = include_str!("../../../models/functions.txt");

/// Why the models could not be had: our fault or the machine's.
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

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// One byte of FNV-1a of 64 bits.
fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

/// A hash over everything that the compiled models depend on.
fn content_key(clang: &Clang, model: DataModel) -> u64 {
    let mut hash = FNV_START;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes.iter().chain(&[0u8]) {
            hash = fnv(hash, *byte);
        }
    };
    feed(format!("{:?} {model:?} {}", clang.version, FLAGS.join(" ")).as_bytes());
    feed(clang.path.to_string_lossy().as_bytes());
    for (name, text) in MODELS.iter().chain(HEADERS).chain([&USER_HEADER]) {
        feed(name.as_bytes());
        feed(text.as_bytes());
    }
    hash
}

const FLAGS: &[&str] = &["-ffreestanding", "-fno-builtin", "-gline-tables-only", "-fno-sanitize=all"];

/// Where compiled models are kept: the user's cache folder, or without one a folder of the user's own among the
/// temporary files.
fn cache_root() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    match cache {
        Some(cache) => Some(cache.join("raddle")),
        None => own_temporary_folder(),
    }
}

/// A folder that only this user can write to: what lies in it decides what programs mean.
#[cfg(unix)]
fn own_temporary_folder() -> Option<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    let user = std::fs::metadata("/proc/self").ok()?.uid();
    let folder = std::env::temp_dir().join(format!("raddle-cache-{user}"));
    let _ = std::fs::DirBuilder::new().mode(0o700).create(&folder);
    let found = std::fs::symlink_metadata(&folder).ok()?;
    (found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0).then_some(folder)
}

#[cfg(not(unix))]
fn own_temporary_folder() -> Option<PathBuf> {
    None
}

/// A new folder among the temporary files.
fn passing_folder() -> std::io::Result<PathBuf> {
    let mut number = 0;
    loop {
        let folder = std::env::temp_dir().join(format!("raddle-models-{}-{number}", std::process::id()));
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            made => return made.map(|()| folder),
        }
    }
}

/// The models for one compiler and data model, on disk.
pub struct Library {
    folder: PathBuf,
    clang: Clang,
    model: DataModel,
    /// Removed when this is dropped.
    passing: bool,
}

impl Drop for Library {
    fn drop(&mut self) {
        if self.passing {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

impl Library {
    /// Makes the folder ready: sources and headers in it.
    pub fn open(clang: &Clang, model: DataModel) -> Result<Library, LibraryError> {
        if let Some(root) = cache_root() {
            let folder = root.join(format!("{:016x}", content_key(clang, model)));
            if prepare(&folder).is_ok() {
                return Ok(Library { folder, clang: clang.clone(), model, passing: false });
            }
        }
        let folder =
            passing_folder().map_err(|error| LibraryError::Folder { path: std::env::temp_dir(), error })?;
        let library = Library { folder, clang: clang.clone(), model, passing: true };
        match prepare(&library.folder) {
            Ok(()) => Ok(library),
            Err(error) => Err(LibraryError::Folder { path: library.folder.clone(), error }),
        }
    }

    /// The folder of `raddle.h`.
    pub fn include_folder(&self) -> PathBuf {
        self.folder.join("include")
    }

    fn text(&self, model: &'static str) -> Result<Vec<u8>, LibraryError> {
        let kept = self.folder.join(format!("{model}.ll"));
        if let Ok(bytes) = std::fs::read(&kept)
            && is_whole(&bytes)
        {
            return Ok(bytes);
        }
        let options = CompileOptions {
            clang: Some(self.clang.path.clone()),
            optimize: OptLevel::O0,
            data_model: self.model,
            extra_flags: FLAGS.iter().map(|f| f.into()).collect(),
            ..Default::default()
        };
        let path = self.folder.join(model);
        let text = to_llvm_text(&path, &options).map_err(|error| LibraryError::Compile { model, error })?;
        // Kept only when whole: written aside, then renamed. Another process may do the same at the same time.
        let mut bytes = text.bytes;
        bytes.extend_from_slice(&sum_line(&bytes));
        let _ = write_whole(&kept, &bytes);
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

/// Writes the sources that are not there. A cache may lose some of its files; their names depend on their content.
fn prepare(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("include"))?;
    for (name, text) in MODELS.iter().chain(HEADERS).chain([&USER_HEADER]) {
        let path = folder.join(name);
        if std::fs::metadata(&path).map(|found| found.len()).ok() != Some(text.len() as u64) {
            write_whole(&path, text.as_bytes())?;
        }
    }
    Ok(())
}

/// The last line of a text that is kept: a comment with the sum over all before it.
fn sum_line(text: &[u8]) -> Vec<u8> {
    let mut hash = FNV_START;
    text.iter().for_each(|byte| hash = fnv(hash, *byte));
    format!("; sum {hash:016x}\n").into_bytes()
}

fn is_whole(text: &[u8]) -> bool {
    let line = sum_line(b"").len();
    let Some(end) = text.len().checked_sub(line) else { return false };
    text[end..] == sum_line(&text[..end])
}

/// Writes aside and renames, so that no other process sees a part.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let aside = path.with_extension(format!("{}-{count}.part", std::process::id()));
    std::fs::write(&aside, bytes)?;
    std::fs::rename(&aside, path)
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
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
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
        text.extend(sum_line(&text));
        assert!(is_whole(&text));
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
