//! Temporary files and folders: unpredictable names, made exclusively, removed whatever happens.
//!
//! A name in a folder that other users can write to is an invitation: a link that was planted under a name that could be
//! guessed is followed by whatever opens it. So names are random, files are made with `O_EXCL` (which follows no link and
//! takes over no file), folders with mode 0700. What exists is registered, so that [`remove_all`] can end the process
//! from a signal handler or a watchdog without leaving anything behind; the compilers that run at that moment are
//! registered in the same way, and ended.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// What has to go when the process ends early.
#[derive(Default)]
struct Registered {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// Process groups of running compilers.
    groups: Vec<u32>,
}

static REGISTERED: Mutex<Registered> =
    Mutex::new(Registered { files: Vec::new(), folders: Vec::new(), groups: Vec::new() });

fn registered() -> MutexGuard<'static, Registered> {
    // A panic elsewhere leaves the lists as they are, which is all that matters here.
    REGISTERED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Removes every temporary file and folder of this process and ends its compilers. For the end of the process only.
pub fn remove_all() {
    let registered = std::mem::take(&mut *registered());
    registered.groups.iter().for_each(|group| kill_group(*group));
    for file in &registered.files {
        let _ = std::fs::remove_file(file);
    }
    for folder in &registered.folders {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Ends a process group at once.
#[cfg(unix)]
pub(crate) fn kill_group(group: u32) {
    let id = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
pub(crate) fn kill_group(_: u32) {}

/// A process group that is ended when this process ends early.
pub(crate) struct Group(pub u32);

impl Group {
    pub(crate) fn new(group: u32) -> Group {
        registered().groups.push(group);
        Group(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        registered().groups.retain(|known| *known != self.0);
    }
}

/// Letters that cannot be guessed: the hash keys of the standard library come from the system's random source.
fn unpredictable() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// Names that are tried before giving up; the first is always free unless something is very wrong.
const TRIES: u32 = 100;

fn try_names<T>(mut make: impl FnMut(String) -> io::Result<T>) -> io::Result<T> {
    for _ in 0..TRIES {
        match make(unpredictable()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            made => return made,
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// A folder that only this user can read and write; removed with its content when dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new one among the system's temporary files.
    pub fn new(purpose: &str) -> io::Result<Folder> {
        // Absolute, whatever `TMPDIR` says: the names go into command lines.
        let root = std::path::absolute(std::env::temp_dir())?;
        try_names(|letters| {
            let path = root.join(format!("raddle-{purpose}-{letters}"));
            make_folder(&path)?;
            registered().folders.push(path.clone());
            Ok(Folder(path))
        })
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
        registered().folders.retain(|known| *known != self.0);
    }
}

/// Makes a folder with mode 0700; an existing one is an error.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A file beside its final name, to be moved there when it is whole; removed when dropped before that.
#[derive(Debug)]
pub struct Beside {
    target: PathBuf,
    path: PathBuf,
    file: Option<File>,
}

impl Beside {
    /// A new file in the folder of `target`, with the permissions that a new file gets.
    pub fn new(target: &Path) -> io::Result<Beside> {
        let name = target.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
        try_names(|letters| {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{letters}.part"));
            // A long name plus the letters may be too long for the file system; the letters alone never are.
            let path = match hidden.len() <= 255 {
                true => target.with_file_name(hidden),
                false => target.with_file_name(format!(".{letters}.part")),
            };
            let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            registered().files.push(path.clone());
            Ok(Beside { target: target.to_path_buf(), path, file: Some(file) })
        })
    }

    /// Writes everything and moves it to its place, replacing what is there (a link is replaced, not followed).
    pub fn finish(self, bytes: &[u8]) -> io::Result<()> {
        self.put(bytes, true)
    }

    /// The same without waiting for the disk: for what can be made anew.
    pub fn finish_soon(self, bytes: &[u8]) -> io::Result<()> {
        self.put(bytes, false)
    }

    fn put(mut self, bytes: &[u8], durable: bool) -> io::Result<()> {
        use std::io::Write;
        let mut file = self.file.take().ok_or_else(|| io::Error::other("written before"))?;
        file.write_all(bytes)?;
        if durable {
            file.sync_all()?;
        }
        drop(file);
        std::fs::rename(&self.path, &self.target)?;
        registered().files.retain(|known| *known != self.path);
        self.path = PathBuf::new();
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            let _ = std::fs::remove_file(&self.path);
            registered().files.retain(|known| *known != self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_everything_is_removed() {
        let (one, two) = (Folder::new("test").unwrap(), Folder::new("test").unwrap());
        assert_ne!(one.path(), two.path());
        let target = one.path().join("report.txt");
        let (first, second) = (Beside::new(&target).unwrap(), Beside::new(&target).unwrap());
        assert_ne!(first.path, second.path);
        drop(first);
        second.finish(b"whole").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(one.path()).unwrap().count(), 1);
        let path = one.path().to_path_buf();
        drop(one);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_private_and_a_link_is_replaced() {
        use std::os::unix::fs::MetadataExt;
        let folder = Folder::new("test").unwrap();
        assert_eq!(std::fs::metadata(folder.path()).unwrap().mode() & 0o777, 0o700);
        let (victim, target) = (folder.path().join("victim"), folder.path().join("target"));
        std::fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, &target).unwrap();
        Beside::new(&target).unwrap().finish(b"new").unwrap();
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
    }

    #[test]
    fn a_long_name_is_no_obstacle() {
        let folder = Folder::new("test").unwrap();
        let target = folder.path().join("n".repeat(250));
        Beside::new(&target).unwrap().finish(b"x").unwrap();
        assert!(target.exists());
    }
}
