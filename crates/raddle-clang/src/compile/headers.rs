//! A temporary directory for the time of one compilation: the header that 64-bit machines lack for 32-bit
//! programs, and sources that are not files.

use super::CompileError;
use crate::temporary::Folder;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// glibc's headers for other word sizes than the machine's; they serve all of x86.
const SHARED_HEADERS: [&str; 2] = ["/usr/include/i386-linux-gnu", "/usr/include/x86_64-linux-gnu"];

/// The directory; removed when dropped.
pub(super) struct Headers {
    folder: Folder,
}

impl Headers {
    pub fn new() -> Result<Headers, CompileError> {
        let made = Folder::new("compile");
        let folder = made.map_err(|error| CompileError::File { path: std::env::temp_dir(), error })?;
        let headers = Headers { folder };
        headers.write("include/gnu/stubs-32.h", "")?;
        Ok(headers)
    }

    fn write(&self, name: impl AsRef<Path>, text: &str) -> Result<PathBuf, CompileError> {
        let path = self.folder.path().join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        match made.and_then(|()| std::fs::write(&path, text)) {
            Ok(()) => Ok(path),
            Err(error) => Err(CompileError::File { path, error }),
        }
    }

    /// Writes a source under the given name.
    pub fn write_source(&self, name: &OsStr, text: &str) -> Result<PathBuf, CompileError> {
        self.write(Path::new("source").join(name), text)
    }

    /// The include folders for a 32-bit program, the temporary one last: a machine that has the real file uses it.
    pub fn folders(&self) -> Vec<PathBuf> {
        let existing = SHARED_HEADERS.iter().map(PathBuf::from).filter(|folder| folder.is_dir());
        existing.chain([self.folder.path().join("include")]).collect()
    }
}
