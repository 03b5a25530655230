//! Output files: checked before the run, so that an unwritable place costs no work; made only when there is something
//! to write, beside their final name and under a name that cannot be guessed, and moved there when they are whole. A
//! run that is killed leaves nothing; a link is never followed.

use raddle_driver::temporary::Beside;
use rustix::fs::{Access, OFlags, access};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the reader of a pipe may take to come, and to read on.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file that will be written.
pub struct OutputFile {
    target: PathBuf,
    /// A device or pipe, which is written as it is.
    direct: bool,
}

impl OutputFile {
    /// Checks that the file can be written, without touching what is there now.
    pub fn claim(target: &Path) -> Result<OutputFile, String> {
        let problem = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", target.display());
        let file = |direct: bool| Ok(OutputFile { target: target.to_path_buf(), direct });
        let writable =
            |path: &Path, how: Access| access(path, how).map_err(|error| problem(&io::Error::from(error)));
        if target.file_name().is_none() {
            return Err(problem(&if target.is_dir() { "it is a directory" } else { "it has no file name" }));
        }
        if let Ok(found) = fs::symlink_metadata(target) {
            // `/dev/stdout` is a link, and one that other users cannot make.
            let of_the_system = target.starts_with("/dev") || target.starts_with("/proc");
            if found.is_symlink() && !of_the_system {
                return Err(problem(&"it is a symbolic link; name its target"));
            }
            if found.is_dir() || found.is_symlink() && target.is_dir() {
                return Err(problem(&"it is a directory"));
            }
            writable(target, Access::WRITE_OK)?;
            if !found.is_file() {
                return file(true);
            }
        }
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        writable(folder, Access::WRITE_OK | Access::EXEC_OK)?;
        file(false)
    }

    /// Writes everything, or nothing.
    pub fn write(self, text: &str) -> Result<(), String> {
        let done = match self.direct {
            true => self.write_directly(text.as_bytes()),
            false => Beside::new(&self.target).and_then(|file| file.finish(text.as_bytes())),
        };
        done.map_err(|error| format!("cannot write {}: {error}", self.target.display()))
    }

    /// Without waiting for ever: a pipe may have no reader, or one that does not read.
    fn write_directly(&self, mut bytes: &[u8]) -> io::Result<()> {
        let mut file = self.open_directly()?;
        let mut progress = Instant::now();
        while !bytes.is_empty() {
            match file.write(bytes) {
                Ok(0) => return Err(io::Error::from(ErrorKind::WriteZero)),
                Ok(count) => {
                    bytes = &bytes[count..];
                    progress = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(progress, "the reader of the pipe is blocked")?
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn open_directly(&self) -> io::Result<File> {
        let started = Instant::now();
        loop {
            let opened =
                File::options().append(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(&self.target);
            match opened {
                // A pipe without a reader.
                Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                    let is_pipe = fs::metadata(&self.target).is_ok_and(|found| found.file_type().is_fifo());
                    if !is_pipe {
                        return Err(error);
                    }
                    wait(started, "it is a pipe without a reader")?;
                }
                opened => return opened,
            }
        }
    }
}

fn wait(since: Instant, what: &str) -> io::Result<()> {
    if since.elapsed() > PATIENCE {
        return Err(io::Error::other(what));
    }
    std::thread::sleep(Duration::from_millis(10));
    Ok(())
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
