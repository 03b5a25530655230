//! Records of a build: which command made each object file, and what each link step put together. `raddle-cc` writes them
//! while it compiles; `raddle check --link-target` reads them.
//!
//! A store is a folder. Each object file (`units`) and each link step (`links`) has a file of its own, named after what was
//! made, so that a second build replaces it and runs side by side do not meet; a file appears whole, by a rename. What is
//! linked is known by name and by content: the members of an archive are compared with the object files that were made, so
//! that `ar` need not be watched. `compile_commands.json` beside them is made from the units, for other tools.
//!
//! Over-approximated: of an archive, all members count as linked, also those that the linker would leave out.

mod archive;
mod command_database;
mod recording;
mod targets;

pub use recording::{Compiler, Run, record};
pub use targets::{is_link, link_target, sources_of};

use std::path::{Path, PathBuf};

use raddle_clang::temporary::Beside;
use raddle_trace::ContentHash;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::error::DriverError;
use crate::inputs::read_regular;

/// The name of a store that is made without asking.
const STORE: &str = ".raddle";
const FORMAT: &str = "raddle-build-record";
const VERSION: u32 = 1;
/// The largest record.
const MOST: u64 = 64 << 20;

/// A source that became an object file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Where the compiler ran.
    pub directory: PathBuf,
    /// The source, as the command named it.
    pub file: PathBuf,
    /// A command that compiles this source alone.
    pub arguments: Vec<String>,
    /// The object file.
    pub output: PathBuf,
    /// Its content; nothing where the source was linked in the same run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Of another language.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
}

/// One file that was linked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Part {
    /// A source that the same command compiled.
    Unit(Unit),
    /// An object file.
    Object { path: PathBuf, content: String },
    /// A member of an archive.
    Member { archive: PathBuf, name: String, content: String },
    /// A shared library.
    Shared { path: PathBuf },
    /// A source of another language.
    Foreign { path: PathBuf },
}

/// One link step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Link {
    pub directory: PathBuf,
    pub arguments: Vec<String>,
    pub output: PathBuf,
    pub parts: Vec<Part>,
}

/// A record with what says that it is one.
#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    format: String,
    version: u32,
    record: T,
}

/// A folder with records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store(PathBuf);

impl Store {
    /// The store of a build: what `RADDLE_CC_DIR` names, or the nearest `.raddle` of this user, or a new one in the folder.
    pub fn of_build(named: Option<&Path>, folder: &Path) -> std::io::Result<Store> {
        let path = match named {
            Some(named) => folder.join(named),
            None => Store::above(folder).map_or_else(|| folder.join(STORE), |store| store.0),
        };
        let store = Store(path);
        for kind in ["units", "links"] {
            std::fs::create_dir_all(store.0.join(kind))?;
        }
        let ignored = store.0.join(".gitignore");
        if ignored.symlink_metadata().is_err() {
            let _ = Beside::new(&ignored).and_then(|file| file.finish_soon(b"*\n"));
        }
        Ok(store)
    }

    /// The nearest `.raddle` in the folder or above it. That of another user is passed over: it is no place for records of
    /// this user, nor a source of flags.
    pub fn above(folder: &Path) -> Option<Store> {
        use std::os::unix::fs::MetadataExt;
        let own = |path: &PathBuf| {
            let found = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_dir);
            found.is_some_and(|found| raddle_clang::user().is_none_or(|user| user == found.uid()))
        };
        folder.ancestors().map(|folder| folder.join(STORE)).find(own).map(Store)
    }

    /// A folder as a store, if it is one.
    pub fn at(path: &Path) -> Option<Store> {
        let of = |path: PathBuf| {
            (path.join("links").is_dir() && path.join("units").is_dir()).then_some(Store(path))
        };
        of(path.to_path_buf()).or_else(|| of(path.join(STORE)))
    }

    fn put<T: Serialize>(&self, kind: &str, output: &Path, record: T) -> std::io::Result<()> {
        let envelope = Envelope { format: FORMAT.into(), version: VERSION, record };
        let text = serde_json::to_string_pretty(&envelope).map_err(std::io::Error::other)?;
        Beside::new(&self.0.join(kind).join(record_name(output)))?.finish_soon(text.as_bytes())
    }

    /// The records of a kind that can be read, with their files.
    fn all<T: DeserializeOwned>(&self, kind: &str) -> Vec<(PathBuf, T)> {
        let entries = std::fs::read_dir(self.0.join(kind)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| is_record(path));
        paths.sort();
        paths.into_iter().filter_map(|path| read_record(&path).ok().map(|record| (path, record))).collect()
    }
}

fn is_record(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".json") && !name.starts_with('.')
}

/// Readable, and different for different outputs.
fn record_name(output: &Path) -> String {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    let name: String = name.chars().map(plain).take(80).collect();
    let hash = ContentHash::of(output.as_os_str().as_encoded_bytes()).to_string();
    format!("{}-{}.json", name.trim_start_matches('.'), &hash[..16])
}

fn read_record<T: DeserializeOwned>(path: &Path) -> Result<T, DriverError> {
    let wrong = |what: String| {
        DriverError::input(format!("{}: this is no record of raddle-cc: {what}", path.display()))
            .hint("remove the file, and build again with raddle-cc")
    };
    let bytes = read_regular(path, MOST)?;
    let envelope: Envelope<serde_json::Value> =
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if envelope.format != FORMAT || envelope.version != VERSION {
        let what = format!("its format is `{}`, version {}", envelope.format, envelope.version);
        return Err(wrong(format!("{what}, and not `{FORMAT}`, version {VERSION}")));
    }
    serde_json::from_value(envelope.record).map_err(|error| wrong(error.to_string()))
}

/// The content of an object file.
fn hash(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string()
}
