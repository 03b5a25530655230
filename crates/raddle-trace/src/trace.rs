//! The trace: program identity, threads, steps, fault, and the script that replays it.

use crate::content_hash::ContentHash;
use crate::event::Event;
use crate::fault::Fault;
use crate::property::Property;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The version of raddle that this crate belongs to.
pub fn tool_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// A place in the user's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Place {
    pub file: String,
    /// Counted from 1; 0 when unknown.
    pub line: u32,
    /// Counted from 1; 0 when unknown.
    #[serde(default)]
    pub column: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

impl Place {
    /// A place without a function.
    pub fn new(file: impl Into<String>, line: u32, column: u32) -> Place {
        Place { file: file.into(), line, column, function: None }
    }

    /// The same place, inside `function`.
    pub fn in_function(self, function: impl Into<String>) -> Place {
        Place { function: Some(function.into()), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// One input file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct InputFile {
    pub path: String,
    pub hash: ContentHash,
    /// Flags for the compiler that are this file's own, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Its content, where raddle wrote it for this check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<GeneratedSource>,
}

/// A source that raddle wrote: it includes one of the user's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GeneratedSource {
    pub text: String,
    /// The included file, its content, and what the program calls it.
    pub includes: String,
    pub hash: ContentHash,
    pub called: String,
}

/// Which program a trace belongs to: what went into the compiler, and what came out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct ProgramIdentity {
    pub inputs: Vec<InputFile>,
    /// `ILP32` or `LP64`; empty where it does not matter.
    pub data_model: String,
    /// The `--optimize` level; empty where it does not matter.
    pub optimize: String,
    /// `NAME` or `NAME=VALUE`, in order.
    pub defines: Vec<String>,
    pub include_paths: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clang_version: Option<String>,
    /// Hexadecimal fingerprint of the program model: what decides whether a replay can mean the same.
    pub ir_fingerprint: String,
}

/// One scheduling decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ScheduleStep {
    /// Which thread runs.
    pub thread: u32,
    /// The values of the choices that this step makes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u64>,
    /// The thread leaves a wait without what it waits for: a time-out or a spurious wake-up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub escape: bool,
}

/// How to run the trace again, by the kind of program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ReplayScript {
    /// For the machine that runs C programs.
    Machine {
        steps: Vec<ScheduleStep>,
        /// Settings of the machine that change the meaning of a schedule.
        #[serde(default)]
        settings: BTreeMap<String, String>,
    },
    /// For the interpreter of Boolean programs.
    Bp {
        /// How many threads may run at once: starting one more is a skip. None: any number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_threads: Option<u64>,
        /// Reaching it is an error.
        error_label: String,
        /// The shared variables at the start, in the order of their declarations.
        globals: Vec<bool>,
        /// The local variables of `main` at the start, of each thread.
        threads: Vec<Vec<bool>>,
        steps: Vec<BooleanStep>,
    },
    /// For thread transition systems.
    Tts {
        /// The requested initial state, as text.
        initial: String,
        /// The target, as text.
        target: String,
        /// The shared state at the start.
        shared: u32,
        /// The local state of each thread at the start.
        threads: Vec<u32>,
        steps: Vec<TransitionStep>,
    },
}

/// One step of a Boolean program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BooleanStep {
    /// The number of the thread that takes it: a thread that is started gets the least that no running thread has.
    pub thread: u32,
    /// Which of the places that control may go to, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub successor: u32,
    /// The values of the choices that this step makes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<bool>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One transition of a thread transition system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TransitionStep {
    /// Its position among the transitions of the system, from 0.
    pub transition: u64,
    /// The thread that takes it; none for a broadcast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// Where each other thread goes that has to move, as thread and local state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passive: Vec<(u32, u32)>,
}

/// A thread of the trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ThreadInfo {
    pub id: u32,
    /// What people call it; usually the start function.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    pub start_function: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Place>,
}

/// A step that the reader sees. It may represent several scheduling decisions (a library call is one step).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TraceStep {
    /// Strictly increasing along the trace.
    pub index: u64,
    pub thread: u32,
    /// Where in the user's code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The library call that this step is part of, as the user wrote it: `pthread_mutex_lock(&m)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_call: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// C paths of the locks that the thread holds after this step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks_held: Vec<String>,
    /// Of a Boolean program: how many procedures the thread is in after this step. Variables of deeper ones are gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<u32>,
}

/// The part of an infinite run that repeats for ever: everything from here to the end of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Cycle {
    /// The position in the replay script; behind its last when the run has ended and its last state stays.
    pub script: u64,
    /// The index of the first step that repeats; none where nothing visible happens any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
}

/// One interleaving that breaks a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Trace {
    /// The version of raddle that wrote it.
    pub tool_version: String,
    pub program: ProgramIdentity,
    /// The property that it breaks.
    pub property: Property,
    pub fault: Fault,
    /// Why it fails, in sentences about this execution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    pub threads: Vec<ThreadInfo>,
    pub steps: Vec<TraceStep>,
    pub script: ReplayScript,
    /// Of a run that never ends: what repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    /// The source lines that the trace mentions, by file and line, so that it can be read without the files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, BTreeMap<u32, String>>,
}

impl Trace {
    /// The thread with this id.
    pub fn thread(&self, id: u32) -> Option<&ThreadInfo> {
        self.threads.iter().find(|thread| thread.id == id)
    }

    /// How often the running thread changes.
    pub fn context_switches(&self) -> usize {
        self.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }

    /// A source line that the trace carries.
    pub fn source_line(&self, file: &str, line: u32) -> Option<&str> {
        self.sources.get(file)?.get(&line).map(String::as_str)
    }

    /// Every place that the trace mentions.
    pub fn places(&self) -> BTreeSet<&Place> {
        use crate::fault::FaultDetails;
        let mut places: BTreeSet<&Place> = BTreeSet::new();
        places.extend(self.steps.iter().filter_map(|step| step.place.as_ref()));
        places.extend(self.threads.iter().filter_map(|thread| thread.created_at.as_ref()));
        places.extend(self.fault.place.iter().chain(&self.fault.stack));
        match &self.fault.details {
            FaultDetails::None => {}
            FaultDetails::Race { declared, first, second, .. } => {
                places.extend(declared);
                for access in [first, second] {
                    places.extend(access.place.iter().chain(&access.stack));
                }
            }
            FaultDetails::Deadlock { blocked, .. } => {
                for thread in blocked {
                    places.extend(thread.place.iter().chain(&thread.stack).chain(&thread.owner_took_it_at));
                }
            }
            FaultDetails::Memory { allocated, freed, .. } => places.extend(allocated.iter().chain(freed)),
        }
        places
    }

    /// Fills `sources` with the lines of all places, as `line(file, number)` gives them.
    pub fn embed_sources(&mut self, mut line: impl FnMut(&str, u32) -> Option<String>) {
        let mut sources: BTreeMap<String, BTreeMap<u32, String>> = BTreeMap::new();
        for place in self.places() {
            if let Some(text) = line(&place.file, place.line) {
                sources.entry(place.file.clone()).or_default().insert(place.line, text);
            }
        }
        self.sources = sources;
    }
}
