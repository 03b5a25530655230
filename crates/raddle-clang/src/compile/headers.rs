//! A directory of ours for the time of one compilation: the header that 64-bit machines lack for 32-bit
//! programs, and sources that are not files.

use super::CompileError;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// glibc's headers for other word sizes than the machine's; they serve all of x86.
const SHARED_HEADERS: [&str; 2] = ["/usr/include/i386-linux-gnu", "/usr/include/x86_64-linux-gnu"];

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// The directory; removed when dropped.
pub(super) struct Headers {
    folder: PathBuf,
}

impl Headers {
    pub fn new() -> Result<Headers, CompileError> {
        // `create_dir` fails if the name exists, so nobody else can have prepared it.
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let folder = std::env::temp_dir().join(format!("raddle-{}-{number}", std::process::id()));
            match std::fs::create_dir(&folder) {
                Ok(()) => {
                    let headers = Headers { folder };
                    headers.write("include/gnu/stubs-32.h", "")?;
                    return Ok(headers);
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(CompileError::File { path: folder, error }),
            }
        }
    }

    fn write(&self, name: impl AsRef<Path>, text: &str) -> Result<PathBuf, CompileError> {
        let path = self.folder.join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        match made.and_then(|()| std::fs::write(&path, text)) {
            Ok(()) => Ok(path),
            Err(error) => Err(CompileError::File { path, error }),
        }
    }

    /// Writes a source, named as asked.
    pub fn write_source(&self, name: &OsStr, text: &str) -> Result<PathBuf, CompileError> {
        self.write(Path::new("source").join(name), text)
    }

    /// The include folders for a 32-bit program, ours last: a machine that has the real file uses it.
    pub fn folders(&self) -> Vec<PathBuf> {
        let existing = SHARED_HEADERS.iter().map(PathBuf::from).filter(|folder| folder.is_dir());
        existing.chain([self.folder.join("include")]).collect()
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
