//! The memory limit: its default, and a watchdog over the memory that the process really takes.
//!
//! Engines estimate what they hold and stop at the limit by themselves. The watchdog is for what an estimate leaves
//! out: it compares the growth of the process since the search began with the limit, and requests the end of the
//! search.
//!
//! Without `--memory-limit` the limit is three quarters of what is available when the search begins: the least of what
//! the system has (`MemAvailable`), what the control groups of the process leave, and what its address space may grow
//! by. Where the system provides none of these, it is [`UNTOLD_MB`].

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use raddle_trace::Budget;

/// The limit where the system does not report its memory.
const UNTOLD_MB: u64 = 4096;
/// A limit below this is useless.
const LEAST_MB: u64 = 16;
/// Between two checks of the watchdog.
const LOOK: Duration = Duration::from_millis(20);

/// The memory limit of a budget, in megabytes.
pub fn limit_mb(budget: &Budget) -> u64 {
    budget.memory_limit_mb.unwrap_or_else(default_limit_mb)
}

fn default_limit_mb() -> u64 {
    let Some(available) = available_bytes(&|path: &Path| std::fs::read_to_string(path).ok()) else {
        return UNTOLD_MB;
    };
    ((available / 4 * 3) >> 20).max(LEAST_MB)
}

/// Reads a file of the system.
type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// What the process may still take; `None` where it is not known.
fn available_bytes(read: Read) -> Option<u64> {
    let system = read(Path::new("/proc/meminfo")).and_then(|text| kilobytes(&text, "MemAvailable:"));
    [system, control_groups(read), address_space(read)].into_iter().flatten().min()
}

/// The number behind a word at the start of a line, as bytes.
fn kilobytes(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(word))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}

/// What the control groups leave: that of the process and all above it.
fn control_groups(read: Read) -> Option<u64> {
    let groups = read(Path::new("/proc/self/cgroup"))?;
    let mut least: Option<u64> = None;
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        // Version 2 has no controllers here; in version 1, memory has a tree of its own.
        let (root, most, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            list if list.split(',').any(|c| c == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        for folder in Path::new(root).join(group).ancestors().take_while(|f| f.starts_with(root)) {
            let number = |file: &str| read(&folder.join(file))?.trim().parse::<u64>().ok();
            // Without a limit it says `max`, or a number larger than any memory.
            let Some(most) = number(most) else { continue };
            let left = most.saturating_sub(number(used).unwrap_or(0));
            least = Some(least.map_or(left, |known| known.min(left)));
        }
    }
    least
}

/// What `ulimit -v` leaves.
fn address_space(read: Read) -> Option<u64> {
    let limits = read(Path::new("/proc/self/limits"))?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = read(Path::new("/proc/self/status")).unwrap_or_default();
    Some(most.saturating_sub(kilobytes(&status, "VmSize:").unwrap_or(0)))
}

/// What the process has in memory, where the system reports it.
fn resident_bytes() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The budget of one search, and a thread that observes the process until this is dropped.
pub struct Watched {
    /// It has a memory limit, and a flag of its own.
    pub budget: Budget,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watched {
    /// Growth counts from here.
    pub fn new(budget: &Budget) -> Watched {
        let limit = limit_mb(budget);
        let (full, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let budget = Budget { memory_limit_mb: Some(limit), memory_is_full: full.clone(), ..budget.clone() };
        let done = over.clone();
        let look = move |before: u64| {
            while !done.load(Ordering::Relaxed) {
                let now = resident_bytes().unwrap_or(0);
                if now.saturating_sub(before) >= limit.saturating_mul(1 << 20) {
                    full.store(true, Ordering::Relaxed);
                    return;
                }
                std::thread::park_timeout(LOOK);
            }
        };
        // Without a thread, the engines' own estimates remain.
        let start = |before| std::thread::Builder::new().spawn(move || look(before)).ok();
        Watched { budget, over, thread: resident_bytes().and_then(start) }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It panics nowhere, and a panic could not be reported here.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is available where only these files are.
    fn available(files: &[(&str, &str)]) -> Option<u64> {
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, text)| text.to_string())
        };
        available_bytes(&read)
    }

    #[test]
    fn the_least_of_all_that_is_told() {
        let system = ("/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
        assert_eq!(available(&[]), None);
        assert_eq!(available(&[system]), Some(8000 << 10));
        let group = ("/proc/self/cgroup", "0::/a/b\n");
        let open = ("/sys/fs/cgroup/a/b/memory.max", "max\n");
        assert_eq!(available(&[system, group, open]), Some(8000 << 10));
        // The group above has a limit, and has used some of it.
        let above = ("/sys/fs/cgroup/a/memory.max", "5000\n");
        let used = ("/sys/fs/cgroup/a/memory.current", "1000\n");
        assert_eq!(available(&[system, group, open, above, used]), Some(4000));
        let old = ("/proc/self/cgroup", "5:cpu:/x\n4:memory:/c\n");
        let limit = ("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "7000\n");
        assert_eq!(available(&[system, old, limit]), Some(7000));
        let space = ("/proc/self/limits", "Max address space         3000000   unlimited   bytes\n");
        let status = ("/proc/self/status", "VmSize:      1000 kB\n");
        assert_eq!(available(&[system, space, status]), Some(3_000_000 - (1000 << 10)));
        let unlimited = ("/proc/self/limits", "Max address space         unlimited   unlimited   bytes\n");
        assert_eq!(available(&[system, unlimited]), Some(8000 << 10));
    }

    #[test]
    fn a_limit_that_was_given_stays() {
        let given = Budget { memory_limit_mb: Some(77), ..Budget::default() };
        assert_eq!(limit_mb(&given), 77);
        assert!(limit_mb(&Budget::default()) >= LEAST_MB);
    }

    #[test]
    fn the_watch_sees_the_process_grow() {
        if resident_bytes().is_none() {
            return;
        }
        let watched = Watched::new(&Budget { memory_limit_mb: Some(48), ..Budget::default() });
        let budget = &watched.budget;
        assert_eq!(budget.stop_reason(), None);
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        for _ in 0..500 {
            if budget.stop_reason().is_some() {
                break;
            }
            std::thread::sleep(LOOK);
        }
        assert_eq!(budget.stop_reason(), Some(raddle_trace::StopReason::OutOfMemory));
        drop(block);
        // The next search begins anew.
        assert_eq!(Watched::new(budget).budget.stop_reason(), None);
    }
}
