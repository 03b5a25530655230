//! Which functions executions entered, and how many threads they created: what a verdict covers.
//!
//! Kept beside the state and shared by all machines of a search, which only ever add to it. It is no part of the
//! meaning of a program: settings that differ in it alone are equal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use raddle_ir::{FunctionId, Program};

#[derive(Debug)]
struct Reached {
    functions: Vec<AtomicBool>,
    threads: AtomicU32,
    /// A run came to its end; an assumption failed in one.
    ended: AtomicBool,
    assumed: AtomicBool,
}

/// A handle; by default nothing is kept.
#[derive(Clone, Debug, Default)]
pub struct Coverage(Option<Arc<Reached>>);

impl PartialEq for Coverage {
    fn eq(&self, _: &Coverage) -> bool {
        true
    }
}

impl Eq for Coverage {}

impl Coverage {
    /// Of a program of which nothing was executed yet.
    pub fn of(program: &Program) -> Coverage {
        let functions = program.functions.iter().map(|_| AtomicBool::new(false)).collect();
        Coverage(Some(Arc::new(Reached {
            functions,
            threads: AtomicU32::new(0),
            ended: AtomicBool::new(false),
            assumed: AtomicBool::new(false),
        })))
    }

    /// A function is entered. Read before it is written: workers share the line.
    #[inline]
    pub fn enter(&self, function: FunctionId) {
        if let Some(reached) = &self.0
            && let Some(seen) = reached.functions.get(function.index())
            && !seen.load(Ordering::Relaxed)
        {
            seen.store(true, Ordering::Relaxed);
        }
    }

    /// A run has created so many threads.
    pub fn created(&self, threads: usize) {
        if let Some(reached) = &self.0 {
            reached.threads.fetch_max(threads as u32, Ordering::Relaxed);
        }
    }

    /// A run came to the end of the process.
    pub fn end(&self) {
        if let Some(reached) = &self.0 {
            reached.ended.store(true, Ordering::Relaxed);
        }
    }

    /// An assumption failed.
    pub fn fail_assumption(&self) {
        if let Some(reached) = &self.0 {
            reached.assumed.store(true, Ordering::Relaxed);
        }
    }

    /// Assumptions failed, and no run that was executed came to the end of the process.
    pub fn is_vacuous(&self) -> bool {
        self.0.as_ref().is_some_and(|reached| {
            reached.assumed.load(Ordering::Relaxed) && !reached.ended.load(Ordering::Relaxed)
        })
    }

    pub fn has_entered(&self, function: FunctionId) -> bool {
        let seen = self.0.as_ref().and_then(|reached| reached.functions.get(function.index()));
        seen.is_some_and(|seen| seen.load(Ordering::Relaxed))
    }

    /// The most threads that one run created.
    pub fn threads(&self) -> u32 {
        self.0.as_ref().map_or(0, |reached| reached.threads.load(Ordering::Relaxed))
    }
}
