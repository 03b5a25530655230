//! Runs a compiler under limits: time, memory, output, and a request to stop.
//!
//! The compiler leads a process group of its own, so that what it starts ends with it. Its output is read by two
//! threads up to a limit; a compiler that prints without end, hangs, or takes all memory is ended with its whole
//! group, and the error says which limit it was. The threads are not waited for: a process that left the group could
//! keep a pipe open.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::CompileError;
use crate::temporary::{Group, kill_group};

/// When a compiler is ended.
#[derive(Clone, Debug, Default)]
pub struct RunLimits {
    pub deadline: Option<Instant>,
    /// Set from outside to end it.
    pub cancel: Arc<AtomicBool>,
    /// What it may have in memory.
    pub memory_mb: Option<u64>,
}

/// Why a compiler was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    TimedOut,
    Cancelled,
    /// It took more than so many megabytes.
    OutOfMemory(u64),
}

impl RunLimits {
    /// Whether nothing more may be started.
    pub fn stopped(&self) -> Option<Stopped> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Stopped::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stopped::TimedOut)
    }
}

/// What a compiler printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Text of a module, at most; more is a compiler that prints without end, or a program beyond reach.
const MOST_STDOUT: u64 = 512 << 20;
/// Messages that are kept. What comes after them is read and dropped: a compiler may wait for its reader.
const KEPT_STDERR: u64 = 256 << 10;
/// Messages, at most.
const MOST_STDERR: u64 = 64 << 20;
/// A compiler needs this much for the smallest source, whatever the limit of the search is.
const LEAST_MEMORY_MB: u64 = 512;
/// Between two checks of the clock and of the memory.
const LOOK: Duration = Duration::from_millis(20);
/// For the rest of the output of a compiler that ended.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs a command with no standard input.
pub(crate) fn run_limited(command: &mut Command, limits: &RunLimits) -> Result<Ran, CompileError> {
    let program = command.get_program().to_owned();
    let program = Path::new(&program);
    let cannot = |error| CompileError::CannotRun { program: program.to_path_buf(), error };
    if let Some(why) = limits.stopped() {
        return Err(CompileError::Stopped { program: program.to_path_buf(), why });
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().map_err(cannot)?;
    let group = Group::new(child.id());
    let printed = Arc::new(Printed::default());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // While the text grows it is copied, and what is read from it takes more than it.
    let most =
        limits.memory_mb.map_or(MOST_STDOUT, |mb| mb.saturating_mul(1 << 18).clamp(64 << 20, MOST_STDOUT));
    let stdout = read_aside(stdout, most, most, printed.clone());
    let stderr = read_aside(stderr, KEPT_STDERR, MOST_STDERR, printed.clone());
    let end = |child: &mut Child| {
        kill_group(group.0);
        let _ = child.kill();
        let _ = child.wait();
    };
    let mut text = None;
    let status = loop {
        // The end of its output comes just before its own.
        match text {
            None => match stdout.recv_timeout(LOOK) {
                Ok(bytes) => text = Some(bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => text = Some(Vec::new()),
            },
            Some(_) => std::thread::sleep(Duration::from_millis(1)),
        }
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {}
            Err(error) => {
                end(&mut child);
                return Err(cannot(error));
            }
        }
        let stopped = limits.stopped().or_else(|| too_large(child.id(), limits));
        if let Some(why) = stopped {
            end(&mut child);
            return Err(CompileError::Stopped { program: program.to_path_buf(), why });
        }
        if printed.too_much.load(Ordering::Relaxed) {
            end(&mut child);
            let bytes = printed.bytes.load(Ordering::Relaxed);
            return Err(CompileError::Flood { program: program.to_path_buf(), bytes });
        }
    };
    // Whatever it started and left behind; it could keep the pipes open.
    kill_group(group.0);
    let text = text.or_else(|| stdout.recv_timeout(PATIENCE).ok());
    let messages = stderr.recv_timeout(PATIENCE).ok();
    if printed.too_much.load(Ordering::Relaxed) {
        let bytes = printed.bytes.load(Ordering::Relaxed);
        return Err(CompileError::Flood { program: program.to_path_buf(), bytes });
    }
    Ok(Ran { status, stdout: text.unwrap_or_default(), stderr: messages.unwrap_or_default() })
}

/// What the threads that read have seen.
#[derive(Default)]
struct Printed {
    too_much: AtomicBool,
    bytes: AtomicU64,
}

/// Reads a pipe to its end in a thread, keeps the first `kept` bytes and gives up after `most`.
fn read_aside(
    pipe: Option<impl Read + Send + 'static>,
    kept: u64,
    most: u64,
    printed: Arc<Printed>,
) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    let read = move || {
        let mut bytes = Vec::new();
        let Some(mut pipe) = pipe else { return };
        let mut total = 0u64;
        let mut chunk = vec![0u8; 64 << 10];
        loop {
            match pipe.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => {
                    total += count as u64;
                    let room = usize::try_from(kept.saturating_sub(bytes.len() as u64)).unwrap_or(usize::MAX);
                    bytes.extend_from_slice(&chunk[..count.min(room)]);
                    if total > most {
                        printed.bytes.store(total, Ordering::Relaxed);
                        printed.too_much.store(true, Ordering::Relaxed);
                        break;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = send.send(bytes);
    };
    // Without a thread nothing is read, and the compiler's output counts as empty.
    let _ = std::thread::Builder::new().name("compiler output".into()).spawn(read);
    receive
}

/// Whether the compiler has more in memory than it may.
fn too_large(process: u32, limits: &RunLimits) -> Option<Stopped> {
    let most = limits.memory_mb?.max(LEAST_MEMORY_MB);
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    // Pages have 4 KiB or more; larger ones only make the limit looser.
    (pages >> 8 > most).then_some(Stopped::OutOfMemory(most))
}
