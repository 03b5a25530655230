//! What the tests of the tool itself share: a folder for one test, runs of `raddle` in it, fake compilers.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use raddle_trace::{Report, read_report};

/// Two threads that raise a number without a lock.
pub const LOST_UPDATE: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
void *w(void *p) { x++; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
    assert(x == 2);
}
";

/// A folder of one test, gone when the test ends.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        Folder(folder(&format!("tool-{name}")))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A compiler of our own making, as a shell script. `$REAL` is the real one.
    pub fn compiler(&self, script: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let real = std::env::var("RADDLE_CLANG").unwrap_or_else(|_| "clang".into());
        let path = self.write("fake-clang", format!("#!/bin/sh\nREAL={real}\n{script}\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// As `command`, with the default action of each signal: where tests run without a terminal, SIGHUP may be ignored.
    pub fn with_signals(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_raddle")]).args(arguments);
        command.current_dir(&self.0).stdin(Stdio::null());
        command
    }

    pub fn raddle(&self, arguments: &[&str]) -> Answer {
        raddle(&self.0, arguments)
    }

    /// With a time limit of the test's own: a hanging tool must fail, not hang the test.
    #[track_caller]
    pub fn within(&self, limit: Duration, command: &mut Command) -> (Answer, Duration) {
        let started = Instant::now();
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        (finish(child, limit), started.elapsed())
    }

    /// The names in the folder.
    pub fn files(&self) -> Vec<String> {
        names(&self.0)
    }
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Waits for a process, at most so long.
#[track_caller]
pub fn finish(mut child: Child, limit: Duration) -> Answer {
    let started = Instant::now();
    let out = read_aside(child.stdout.take().unwrap());
    let err = read_aside(child.stderr.take().unwrap());
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Answer::of(Output { status, stdout: out.join().unwrap(), stderr: err.join().unwrap() });
        }
        if started.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            panic!("still running after {limit:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn read_aside(mut pipe: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// What a run of `raddle` said.
pub struct Answer {
    /// -1: ended by a signal.
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Answer {
    /// Standard output as a report in JSON.
    #[track_caller]
    pub fn report(&self) -> Report {
        read_report(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.err))
    }

    pub fn of(output: Output) -> Answer {
        Answer {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The exit code, and parts of what was printed on either stream; never a panic.
    #[track_caller]
    pub fn says(&self, code: i32, parts: &[&str]) -> &Answer {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, code, "{all}");
        for part in parts {
            assert!(all.contains(part), "`{part}` is missing in:\n{all}");
        }
        assert!(code == 70 || !all.contains("panicked") && !all.contains("internal error"), "{all}");
        self
    }
}

/// Runs `raddle` in a folder.
pub fn raddle(folder: &Path, arguments: &[&str]) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    Answer::of(command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap())
}

/// A folder of one test, which stays.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The report of a check of a source, with the exit code that belongs to it.
#[track_caller]
pub fn report(source: &Path, options: &[&str]) -> Report {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = command.arg("check").arg(source).args(["--format", "json"]).args(options).output().unwrap();
    let report = read_report(&String::from_utf8_lossy(&output.stdout));
    let report = report.unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(output.status.code(), Some(report.verdict().exit_code() as i32));
    report
}
