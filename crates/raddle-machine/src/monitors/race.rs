//! Data races by happens-before, byte-precise, with vector clocks: a listener beside the state, never part of it.
//!
//! Vector clocks for threads and for what they synchronise by; for memory, epochs as in FastTrack (Flanagan and Freund,
//! PLDI 2009), but with a short list of accesses a word instead of one write and one read, so that bytes, sizes and
//! atomic accesses mix. Edges:
//! - creation: parent to child; everything else that library models order, by their markers `acquire` and `release` on
//!   (object, channel);
//! - the user's atomic sections: one global lock;
//! - C11 atomics, each byte of them on its own: a release store to an acquire load that reads from it or from its
//!   release sequence (C++20's: read-modify-writes only; any other store ends it), and the same through fences.
//!
//! An access inside a kernel section is ignored: it does not race, does not order, and does not end a release
//! sequence. `free` is a plain write of the whole object.
//!
//! Exact in this sense: an access is reported, against some earlier one, if and only if some earlier conflicting access
//! to one of its bytes is not ordered before it. Not every such earlier access is named: one that is ordered before a
//! later access of the same or a stronger kind gives way to it (whatever races with the first, races with the second).
//!
//! While one thread is alone, and all accesses of the threads that have ended are ordered before it, nothing is
//! recorded or kept: what it does is ordered after everything before, and before every thread that it may still
//! create.

use raddle_ir::MemoryOrder;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use crate::monitors::clock::Clock;
use crate::semantics::copy_on_write::Shared;
use crate::semantics::fault::CodePoint;
use crate::semantics::pointer;
use crate::semantics::run::user_point;
use crate::semantics::thread::{Hold, ThreadIndex};
use crate::semantics::watch::{AccessEvent, AccessKind, Scene, Watch};

/// One side of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    pub thread: ThreadIndex,
    /// Where the machine was, maybe inside a library model.
    pub at: CodePoint,
    /// The innermost place of the user's code.
    pub user: CodePoint,
    pub write: bool,
    pub atomic: bool,
    /// Bytes of the whole access; of the object, for `free`.
    pub length: u32,
    /// Which one of all accesses and frees of the run, from 1 (those in kernel sections are counted too).
    pub sequence: u64,
    /// Innermost first; a caller's point is its call. Only from a detailed monitor.
    pub stack: Option<Vec<CodePoint>>,
    /// Locks held at the access. Only from a detailed monitor.
    pub holds: Vec<Hold>,
}

/// Two conflicting accesses that nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    pub first: RaceAccess,
    pub second: RaceAccess,
    /// The bytes that both touch, as far as they lie in one aligned word of eight bytes.
    pub pointer: u64,
    pub length: u32,
    /// The two would be ordered if later stores of the releasing thread continued a release sequence, as in C11. Only a
    /// comparison with a monitor of that rule can say so.
    pub only_by_cpp20: bool,
}

/// Listens from the first step on, and collects the races of one run.
#[derive(Clone, Debug)]
pub struct RaceMonitor {
    detailed: bool,
    c11_release_sequences: bool,
    threads: Vec<ThreadClocks>,
    /// Threads that may still run.
    alive: u32,
    /// Some access may not be ordered with what comes.
    concurrent: bool,
    sections: Clock,
    channels: FxHashMap<(u64, i32), Clock>,
    /// By address divided by eight.
    words: FxHashMap<u64, Shared<Word>>,
    /// With so many words, those of objects that have ended are removed.
    sweep_at: usize,
    sequence: u64,
    races: Vec<Race>,
    taken: usize,
    known: FxHashSet<(CodePoint, CodePoint)>,
}

#[derive(Clone, Debug, Default)]
struct ThreadClocks {
    now: Clock,
    /// Its clock at its last release fence: its relaxed stores publish this.
    fenced: Clock,
    /// What its relaxed loads have read from: its next acquire fence joins this.
    unfenced: Clock,
    /// The epoch of its last recorded access.
    last_access: u32,
    gone: bool,
}

/// What is recorded of eight bytes.
#[derive(Clone, Debug, Default)]
struct Word {
    cells: Vec<Cell>,
    /// What a thread that acquires these bytes joins into its clock. Masks are disjoint, unless C11's rule is
    /// followed.
    releases: Vec<Release>,
}

#[derive(Clone, Debug)]
struct Release {
    mask: u8,
    /// The thread of the store that heads the sequence; only C11's rule uses it.
    thread: ThreadIndex,
    clock: Clock,
}

/// An access to some bytes of a word.
#[derive(Clone, Debug)]
struct Cell {
    mask: u8,
    write: bool,
    atomic: bool,
    thread: ThreadIndex,
    epoch: u32,
    length: u32,
    at: CodePoint,
    user: CodePoint,
    sequence: u64,
    detail: Option<Arc<Detail>>,
}

#[derive(Debug)]
struct Detail {
    stack: Vec<CodePoint>,
    holds: Vec<Hold>,
}

const FIRST_SWEEP: usize = 1 << 14;

impl Default for RaceMonitor {
    fn default() -> Self {
        RaceMonitor::new()
    }
}

impl RaceMonitor {
    pub fn new() -> RaceMonitor {
        let mut main = ThreadClocks::default();
        main.now.set(ThreadIndex::MAIN, 1);
        RaceMonitor {
            detailed: false,
            c11_release_sequences: false,
            threads: vec![main],
            alive: 1,
            concurrent: false,
            sections: Clock::default(),
            channels: FxHashMap::default(),
            words: FxHashMap::default(),
            sweep_at: FIRST_SWEEP,
            sequence: 0,
            races: Vec::new(),
            taken: 0,
            known: FxHashSet::default(),
        }
    }

    /// Keeps the stack and the held locks of every access: for reports, when a trace is executed again.
    pub fn detailed() -> RaceMonitor {
        RaceMonitor { detailed: true, ..RaceMonitor::new() }
    }

    /// Follows C11's rule: stores of the thread that released continue a release sequence too.
    pub fn with_c11_release_sequences() -> RaceMonitor {
        RaceMonitor { c11_release_sequences: true, ..RaceMonitor::new() }
    }

    /// All races so far, each pair of user places once.
    pub fn races(&self) -> &[Race] {
        &self.races
    }

    /// The races since the last call.
    pub fn take_new(&mut self) -> Vec<Race> {
        let new = self.races[self.taken..].to_vec();
        self.taken = self.races.len();
        new
    }

    fn clocks(&mut self, thread: ThreadIndex) -> &mut ThreadClocks {
        &mut self.threads[thread.index()]
    }

    /// What the thread does from now on is not part of what it released.
    fn next_epoch(&mut self, thread: ThreadIndex) {
        let now = &mut self.threads[thread.index()].now;
        now.set(thread, now.of(thread) + 1);
    }

    fn thread_gone(&mut self, thread: ThreadIndex) {
        let clocks = &mut self.threads[thread.index()];
        if !clocks.gone {
            clocks.gone = true;
            self.alive -= 1;
            self.settle();
        }
    }

    /// Clears all records if only one thread is left and all accesses of the others are ordered before it.
    fn settle(&mut self) {
        if self.alive != 1 || !self.concurrent {
            return;
        }
        let Some(last) = self.threads.iter().find(|t| !t.gone) else { return };
        let known =
            |(i, t): (usize, &ThreadClocks)| !t.gone || t.last_access <= last.now.of(ThreadIndex(i as u32));
        if self.threads.iter().enumerate().all(known) {
            self.concurrent = false;
            self.words.clear();
            self.channels.clear();
            self.sections = Clock::default();
        }
    }

    /// Compares an access with the earlier ones and records it.
    fn record(&mut self, scene: &Scene, pointer: u64, length: u32, write: bool, atomic: bool) {
        let mut cell = self.cell(scene, length, write, atomic);
        self.threads[scene.index.index()].last_access = cell.epoch;
        for (word, mask) in words_of(pointer, length) {
            cell.mask = mask;
            let entry = self.words.entry(word).or_insert_with(|| Shared::new(Word::default())).write();
            compare(&self.threads[scene.index.index()].now, &entry.cells, &cell, |old| {
                report(&mut self.races, &mut self.known, word, old, &cell);
            });
            entry.remember(&self.threads[scene.index.index()].now, cell.clone());
            if write && !atomic && !entry.releases.is_empty() {
                entry.forget_releases(mask);
            }
        }
        if self.words.len() > self.sweep_at {
            let memory = scene.memory;
            self.words.retain(|word, _| memory.object(pointer::object(*word << 3)).is_some());
            self.sweep_at = (2 * self.words.len()).max(FIRST_SWEEP);
        }
    }

    fn cell(&self, scene: &Scene, length: u32, write: bool, atomic: bool) -> Cell {
        let detail = self.detailed.then(|| {
            let frames = scene.thread.frames.iter().rev().enumerate();
            let point = |(i, f): (usize, &crate::semantics::thread::Frame)| CodePoint {
                function: f.function,
                pc: if i == 0 { f.pc } else { f.pc.saturating_sub(1) },
            };
            Arc::new(Detail { stack: frames.map(point).collect(), holds: scene.thread.holds.clone() })
        });
        Cell {
            mask: 0,
            write,
            atomic,
            thread: scene.index,
            epoch: self.threads[scene.index.index()].now.of(scene.index),
            length,
            at: scene.at,
            user: user_point(scene.machine, scene.thread),
            sequence: self.sequence,
            detail,
        }
    }

    /// The reading half of an atomic access.
    fn read_from(&mut self, thread: ThreadIndex, pointer: u64, length: u32, acquire: bool) {
        let ThreadClocks { now, unfenced, .. } = &mut self.threads[thread.index()];
        let learns = if acquire { now } else { unfenced };
        for (word, mask) in words_of(pointer, length) {
            if let Some(word) = self.words.get(&word) {
                let read = word.releases.iter().filter(|release| release.mask & mask != 0);
                read.for_each(|release| learns.join(&release.clock));
            }
        }
    }

    /// The writing half of an atomic access. An update continues the release sequence that it read from.
    fn publish(&mut self, thread: ThreadIndex, pointer: u64, length: u32, release: bool, update: bool) {
        let ThreadClocks { now, fenced, .. } = &self.threads[thread.index()];
        let shown = if release { now } else { fenced };
        for (word, mask) in words_of(pointer, length) {
            let word = self.words.entry(word).or_insert_with(|| Shared::new(Word::default())).write();
            if self.c11_release_sequences {
                if !update {
                    word.forget_releases_of_others(mask, thread);
                }
                word.head_release(mask, thread, shown);
            } else if update {
                word.extend_releases(mask, thread, shown);
            } else {
                word.forget_releases(mask);
                if !shown.is_empty() {
                    word.releases.push(Release { mask, thread, clock: shown.clone() });
                }
            }
        }
        if release {
            self.next_epoch(thread);
        }
    }
}

impl Word {
    /// Adds an access; older ones that it subsumes lose its bytes.
    fn remember(&mut self, now: &Clock, cell: Cell) {
        let stands_for = |old: &Cell| {
            (cell.write || !old.write)
                && (!cell.atomic || old.atomic)
                && (old.thread == cell.thread || old.epoch <= now.of(old.thread))
        };
        self.cells.retain_mut(|old| {
            if stands_for(old) {
                old.mask &= !cell.mask;
            }
            old.mask != 0
        });
        self.cells.push(cell);
    }

    fn forget_releases(&mut self, mask: u8) {
        self.releases.retain_mut(|release| {
            release.mask &= !mask;
            release.mask != 0
        });
    }

    fn forget_releases_of_others(&mut self, mask: u8, thread: ThreadIndex) {
        self.releases.retain_mut(|release| {
            if release.thread != thread {
                release.mask &= !mask;
            }
            release.mask != 0
        });
    }

    /// C11's rule: one more head of a release sequence. It continues those of the same thread to the same bytes, so
    /// one clock suffices for all of them.
    fn head_release(&mut self, mask: u8, thread: ThreadIndex, clock: &Clock) {
        let mut same = self.releases.iter_mut().filter(|r| r.mask == mask && r.thread == thread);
        match same.next() {
            Some(release) => release.clock.join(clock),
            None if clock.is_empty() => {}
            None => self.releases.push(Release { mask, thread, clock: clock.clone() }),
        }
    }

    fn extend_releases(&mut self, mask: u8, thread: ThreadIndex, clock: &Clock) {
        if clock.is_empty() {
            return;
        }
        let mut rest = mask;
        let mut parts = Vec::new();
        for release in &mut self.releases {
            let both = release.mask & mask;
            if both != 0 {
                rest &= !both;
                release.mask &= !both;
                let mut joined = release.clock.clone();
                joined.join(clock);
                parts.push(Release { mask: both, thread, clock: joined });
            }
        }
        if rest != 0 {
            parts.push(Release { mask: rest, thread, clock: clock.clone() });
        }
        self.releases.retain(|release| release.mask != 0);
        self.releases.append(&mut parts);
    }
}

/// Calls `found` for the earlier accesses that race with a new one.
#[inline]
fn compare<'a>(now: &Clock, cells: &'a [Cell], new: &Cell, mut found: impl FnMut(&'a Cell)) {
    for old in cells {
        let conflict = old.mask & new.mask != 0
            && old.thread != new.thread
            && (old.write || new.write)
            && !(old.atomic && new.atomic);
        if conflict && old.epoch > now.of(old.thread) {
            found(old);
        }
    }
}

#[cold]
fn report(
    races: &mut Vec<Race>,
    known: &mut FxHashSet<(CodePoint, CodePoint)>,
    word: u64,
    old: &Cell,
    new: &Cell,
) {
    let order = |p: CodePoint| (p.function.0, p.pc);
    let (a, b) = (old.user, new.user);
    if !known.insert(if order(a) <= order(b) { (a, b) } else { (b, a) }) {
        return;
    }
    let both = old.mask & new.mask;
    let first_byte = both.trailing_zeros();
    let side = |cell: &Cell| RaceAccess {
        thread: cell.thread,
        at: cell.at,
        user: cell.user,
        write: cell.write,
        atomic: cell.atomic,
        length: cell.length,
        sequence: cell.sequence,
        stack: cell.detail.as_ref().map(|d| d.stack.clone()),
        holds: cell.detail.as_ref().map(|d| d.holds.clone()).unwrap_or_default(),
    };
    races.push(Race {
        first: side(old),
        second: side(new),
        pointer: (word << 3) + first_byte as u64,
        length: (both >> first_byte).trailing_ones(),
        only_by_cpp20: false,
    });
}

/// The aligned words that a range touches, and which of their bytes.
fn words_of(pointer: u64, length: u32) -> impl Iterator<Item = (u64, u8)> {
    let end = pointer + length as u64;
    let words = if length == 0 { 0..0 } else { pointer >> 3..((end - 1) >> 3) + 1 };
    words.map(move |word| {
        let first = pointer.saturating_sub(word << 3).min(8) as u32;
        let last = (end - (word << 3)).min(8) as u32;
        (word, (0xffu32 << first & 0xff >> (8 - last)) as u8)
    })
}

fn acquires(order: MemoryOrder) -> bool {
    use MemoryOrder::*;
    matches!(order, Acquire | AcquireRelease | SequentiallyConsistent)
}

fn releases(order: MemoryOrder) -> bool {
    use MemoryOrder::*;
    matches!(order, Release | AcquireRelease | SequentiallyConsistent)
}

impl Watch for RaceMonitor {
    fn access(&mut self, scene: &Scene, event: &AccessEvent) {
        self.sequence += 1;
        if event.in_section || !self.concurrent {
            return;
        }
        let AccessEvent { kind, pointer, length, order, .. } = *event;
        let write = kind != AccessKind::Read;
        if order == MemoryOrder::NotAtomic {
            self.record(scene, pointer, length, write, false);
            return;
        }
        // An acquire orders the access itself too; what a release publishes includes the access.
        if kind != AccessKind::Write {
            self.read_from(scene.index, pointer, length, acquires(order));
        }
        self.record(scene, pointer, length, write, true);
        if write {
            let update = kind == AccessKind::Update;
            self.publish(scene.index, pointer, length, releases(order), update);
        }
        if acquires(order) {
            self.settle();
        }
    }

    fn idle(&self) -> bool {
        !self.concurrent
    }
    fn passed(&mut self) {
        self.sequence += 1;
    }

    fn free(&mut self, scene: &Scene, pointer: u64, size: u32, in_section: bool) {
        self.sequence += 1;
        if !self.concurrent {
            return;
        }
        let mut cell = self.cell(scene, size, true, false);
        let mut words: Vec<(u64, u8)> = if (size as usize) < 8 * self.words.len() {
            words_of(pointer, size).filter(|(word, _)| self.words.contains_key(word)).collect()
        } else {
            let here = |word: &u64| pointer::object(*word << 3) == pointer::object(pointer);
            self.words.keys().copied().filter(here).map(|word| (word, 0xff)).collect()
        };
        words.sort_unstable();
        // The name is never given again, so nothing has to be recorded.
        for (word, mask) in words {
            let Some(entry) = self.words.remove(&word) else { continue };
            if !in_section {
                cell.mask = mask;
                compare(&self.threads[scene.index.index()].now, &entry.cells, &cell, |old| {
                    report(&mut self.races, &mut self.known, word, old, &cell);
                });
            }
        }
    }

    fn synchronisation(&mut self, scene: &Scene, pointer: u64, size: u32, writes: bool) {
        self.sequence += 1;
        if self.concurrent {
            self.record(scene, pointer, size, writes, !writes);
        }
    }

    fn fence(&mut self, scene: &Scene, order: MemoryOrder) {
        if !self.concurrent {
            return;
        }
        let clocks = self.clocks(scene.index);
        if acquires(order) {
            clocks.now.join(&clocks.unfenced);
        }
        if releases(order) {
            clocks.fenced = clocks.now.clone();
            self.next_epoch(scene.index);
        }
        self.settle();
    }

    fn acquire(&mut self, scene: &Scene, object: u64, channel: i32) {
        if !self.concurrent {
            return;
        }
        if let Some(released) = self.channels.get(&(object, channel)) {
            self.threads[scene.index.index()].now.join(released);
        }
        self.settle();
    }

    fn release(&mut self, scene: &Scene, object: u64, channel: i32) {
        if !self.concurrent {
            return;
        }
        let now = &self.threads[scene.index.index()].now;
        self.channels.entry((object, channel)).or_default().join(now);
        self.next_epoch(scene.index);
    }

    fn atomic_section(&mut self, scene: &Scene, entered: bool) {
        if !self.concurrent {
            return;
        }
        if entered {
            self.threads[scene.index.index()].now.join(&self.sections);
            self.settle();
        } else {
            self.sections.join(&self.threads[scene.index.index()].now);
            self.next_epoch(scene.index);
        }
    }

    fn spawn(&mut self, scene: &Scene, child: ThreadIndex, _: u32) {
        let mut now = self.threads[scene.index.index()].now.clone();
        now.set(child, 1);
        debug_assert_eq!(self.threads.len(), child.index());
        self.threads.push(ThreadClocks { now, ..ThreadClocks::default() });
        self.alive += 1;
        self.concurrent = true;
        self.next_epoch(scene.index);
    }

    fn thread_end(&mut self, scene: &Scene) {
        self.thread_gone(scene.index);
    }
    fn process_exit(&mut self, scene: &Scene, _: i32, _: bool) {
        self.thread_gone(scene.index);
    }
    fn assume_failed(&mut self, scene: &Scene) {
        self.thread_gone(scene.index);
    }
}
