//! What was made before, kept by the content that it was made from: compiled texts, and results of analyses.
//!
//! An entry is found by a key, a hash over all that it depends on, so that a change of a source, a header, a flag or the compiler never
//! meets an old entry. Its last line is a hash over the key, the kind and all before it: a damaged entry is no entry. The folder
//! is one that no other user can write to (`library/cache.rs`); without such a folder nothing is kept. When entries take more than
//! [`MOST_KEPT`] bytes, those that were not used for longest are removed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::compile::{self, Clang, CompileOptions, DataModel};
use crate::library::cache;
use crate::temporary::Beside;

/// Bytes of all entries together.
const MOST_KEPT: u64 = 2 << 30;
/// Part of the names of the folder: entries of another layout are not read.
const LAYOUT: &str = "kept-1";

/// A hash over pieces, each with its length, so that no two lists of pieces are one text.
#[derive(Clone, Default)]
pub struct Key(Sha256);

impl Key {
    pub fn new(kind: &str) -> Key {
        Key::default().with(kind.as_bytes())
    }

    pub fn with(mut self, bytes: &[u8]) -> Key {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// As hexadecimal digits.
    pub fn text(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The program that runs: another build may give other answers under the same version.
pub fn this_program() -> Option<String> {
    let path = std::env::current_exe().ok()?;
    let found = path.metadata().ok()?;
    let changed = found.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let path = path.display();
    Some(format!("{} {path} {} {}", env!("CARGO_PKG_VERSION"), found.len(), changed.as_nanos()))
}

/// A folder with entries.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// The folder in the user's cache, if it can be used.
    pub fn open() -> Option<Kept> {
        cache::folder(LAYOUT).map(|folder| Kept { folder })
    }

    fn path(&self, kind: &str, key: &str) -> PathBuf {
        self.folder.join(format!("{}.{kind}", &key[..key.len().min(40)]))
    }

    /// The entry, if there is one and it is whole.
    pub fn read(&self, kind: &str, key: &str) -> Option<Vec<u8>> {
        let path = self.path(kind, key);
        let mut bytes = cache::read(&path)?;
        let end = bytes.len().checked_sub(last_line(kind, key, b"").len())?;
        if bytes[end..] != last_line(kind, key, &bytes[..end]) {
            return None;
        }
        bytes.truncate(end);
        // Used now: removed last.
        if let Ok(file) = std::fs::File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(bytes)
    }

    /// Keeps an entry. A failure costs time only.
    pub fn write(&self, kind: &str, key: &str, bytes: &[u8]) {
        let mut whole = bytes.to_vec();
        whole.extend(last_line(kind, key, bytes));
        let _ = Beside::new(&self.path(kind, key)).and_then(|file| file.finish_soon(&whole));
    }

    /// Removes the entries that were not used for longest, if there is too much.
    pub fn tidy(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .flatten()
            .filter_map(|entry| {
                let found = entry.metadata().ok().filter(|found| found.is_file())?;
                Some((found.modified().ok()?, found.len(), entry.path()))
            })
            .collect();
        let mut all: u64 = files.iter().map(|(_, length, _)| length).sum();
        files.sort();
        for (_, length, path) in files {
            if all <= MOST_KEPT {
                return;
            }
            if std::fs::remove_file(path).is_ok() {
                all -= length;
            }
        }
    }
}

fn last_line(kind: &str, key: &str, bytes: &[u8]) -> Vec<u8> {
    let sum = Key::new(kind).with(key.as_bytes()).with(bytes).text();
    format!("\n; sha256 {sum}\n").into_bytes()
}

/// The key of a source's compiled text: its own bytes, its preprocessed text, the compiler, all flags, and where it runs. `None`: it is not
/// known what the text depends on.
pub fn source_key(path: &Path, options: &CompileOptions) -> Option<String> {
    // 32-bit programs get a temporary folder of headers; restrictions are checked by compiling.
    if options.data_model != DataModel::Lp64 || options.restriction.is_some() {
        return None;
    }
    let own = std::fs::read(path).ok()?;
    let mut key =
        Key::new("source").with(this_program()?.as_bytes()).with(path.as_os_str().as_encoded_bytes());
    let place = std::env::current_dir().ok()?;
    key = key.with(place.as_os_str().as_encoded_bytes()).with(&own);
    match path.extension().and_then(|e| e.to_str()) {
        Some("ll") => return Some(key.text()),
        Some("c" | "h" | "i") => {}
        _ => return None,
    }
    let clang: Clang = compile::find_clang_within(options.clang.as_deref(), &options.limits).ok()?;
    let changed = clang.path.metadata().ok()?.modified().ok()?;
    let changed = changed.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos();
    key = key
        .with(clang.path.as_os_str().as_encoded_bytes())
        .with(format!("{:?} {changed}", clang.version).as_bytes());
    key = key.with(format!("{:?} {:?}", options.optimize, options.names.get(path)).as_bytes());
    let arguments: Vec<OsString> = compile::plain_arguments(path, options);
    for argument in &arguments {
        key = key.with(argument.as_encoded_bytes());
    }
    let language = match path.extension().and_then(|e| e.to_str()) {
        Some("i") => "cpp-output",
        _ => "c",
    };
    let text = compile::preprocessed(&clang.path, &arguments, language, path, options)?;
    Some(key.with(&text).text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporary::Folder;

    #[test]
    fn damage_is_no_entry() {
        let folder = Folder::new("test").unwrap();
        let kept = Kept { folder: folder.path().to_path_buf() };
        let key = Key::new("test").with(b"a").text();
        assert_eq!(kept.read("text", &key), None);
        kept.write("text", &key, b"content");
        assert_eq!(kept.read("text", &key).as_deref(), Some(&b"content"[..]));
        assert_eq!(kept.read("other", &key), None);
        let path = kept.path("text", &key);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            assert_eq!(kept.read("text", &key), None, "byte {at}");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(kept.read("text", &key), None, "{at} bytes");
        }
        // An entry under the name of another.
        let other = Key::new("test").with(b"b").text();
        std::fs::write(kept.path("text", &other), &whole).unwrap();
        assert_eq!(kept.read("text", &other), None);
    }

    #[test]
    fn keys_depend_on_all_pieces() {
        let of = |pieces: &[&str]| {
            pieces.iter().fold(Key::new("k"), |key, piece| key.with(piece.as_bytes())).text()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
    }
}
