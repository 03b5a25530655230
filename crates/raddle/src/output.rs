//! Output files: claimed before the run, so that an unwritable place costs no work; written beside their final
//! name and moved there, so that nobody ever sees half a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that will be written.
pub struct OutputFile {
    target: PathBuf,
    /// The file beside it; nothing for a device or pipe, which is written directly.
    temporary: Option<PathBuf>,
}

impl OutputFile {
    /// Checks that the file can be written, without touching what is there now.
    pub fn claim(target: &Path) -> Result<OutputFile, String> {
        let problem = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", target.display());
        match fs::metadata(target) {
            Ok(found) if found.is_dir() => return Err(problem(&"it is a folder")),
            Ok(found) if !found.is_file() => {
                File::options().write(true).open(target).map_err(|error| problem(&error))?;
                return Ok(OutputFile { target: target.to_path_buf(), temporary: None });
            }
            Ok(_) => drop(File::options().append(true).open(target).map_err(|error| problem(&error))?),
            Err(_) => {}
        }
        let name = target.file_name().ok_or_else(|| problem(&"it has no file name"))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", std::process::id()));
        let temporary = target.with_file_name(hidden);
        File::create(&temporary).map_err(|error| problem(&error))?;
        Ok(OutputFile { target: target.to_path_buf(), temporary: Some(temporary) })
    }

    /// Writes everything, or nothing.
    pub fn write(mut self, text: &str) -> Result<(), String> {
        let done = self.try_write(text);
        if done.is_ok() {
            self.temporary = None;
        }
        done.map_err(|error| format!("cannot write {}: {error}", self.target.display()))
    }

    fn try_write(&self, text: &str) -> io::Result<()> {
        let Some(temporary) = &self.temporary else {
            return File::options().write(true).open(&self.target)?.write_all(text.as_bytes());
        };
        let mut file = File::create(temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(temporary, &self.target)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// `trace.json`, `trace-2.json`, `trace-3.json`, ...
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number <= 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match path.extension() {
        Some(extension) => path.with_file_name(format!("{stem}-{number}.{}", extension.to_string_lossy())),
        None => path.with_file_name(format!("{stem}-{number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering() {
        assert_eq!(numbered(Path::new("a/t.json"), 1), PathBuf::from("a/t.json"));
        assert_eq!(numbered(Path::new("a/t.json"), 2), PathBuf::from("a/t-2.json"));
        assert_eq!(numbered(Path::new("t"), 3), PathBuf::from("t-3"));
    }
}
