//! The command line as tests use it: run in a folder, and asked what it said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What came back.
pub struct Answer {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs the checker in a folder.
pub fn raddle(folder: &Path, arguments: &[&str]) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let Output { status, stdout, stderr } = command.args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Answer { code: status.code().unwrap(), out: text(stdout), err: text(stderr) }
}

impl Answer {
    /// The exit code, and parts of what was said on either stream.
    #[track_caller]
    pub fn says(&self, code: i32, parts: &[&str]) {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, code, "{all}");
        for part in parts {
            assert!(all.contains(part), "`{part}` is missing:\n{all}");
        }
    }
}

/// A folder of this test alone.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
