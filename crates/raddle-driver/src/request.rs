//! The request to the driver, as plain data. The command line builds it; so may a test or another program.

use crate::error::DriverError;
use crate::inputs::InputKind;
use raddle_trace::{Budget, Property};
use std::path::{Path, PathBuf};

/// The names of methods that `--method` accepts.
pub const METHODS: &[&str] = &["auto", "backward", "karp-miller", "state-equation", "cut-off"];

/// What is checked when no property is named: it depends on what kind of program this is.
pub fn default_properties(inputs: &[PathBuf]) -> Vec<Property> {
    match InputKind::of_all(inputs) {
        InputKind::ThreadSystem => vec![Property::Target],
        InputKind::BooleanProgram => vec![Property::Assert],
        InputKind::C => Property::default_set(),
    }
}

/// A program, properties, and how far to go.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// C sources, `.i`, LLVM `.ll`/`.bc`, a folder, `compile_commands.json`, `.bp`, `.tts`.
    pub inputs: Vec<PathBuf>,
    pub properties: Vec<Property>,
    /// Names for C expressions, to be used in LTL formulas.
    pub propositions: Vec<(String, String)>,
    /// One of [`crate::engine_names`].
    pub engine: String,
    pub bounds: RequestedBounds,
    pub budget: Budget,
    pub compile: CompileOptions,
    pub semantics: SemanticOptions,
    pub thread_systems: ThreadSystemOptions,
    pub explicit: ExplicitOptions,
    pub symbolic: SymbolicOptions,
    /// Functions to call instead of `main`.
    pub harness: Option<HarnessOptions>,
    /// Of the engine `directed`: files and lines that threads are steered towards; one that is named twice is for two threads.
    pub towards: Vec<(String, u32)>,
}

/// Which functions a harness calls, and with what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HarnessOptions {
    /// Called in this order by the first thread.
    pub entries: Vec<String>,
    /// Called afterwards, each in a thread of its own.
    pub concurrent: Vec<String>,
    /// Elements of each fresh object.
    pub elements: u64,
    /// Pointers of one type lead to one object in all calls.
    pub shared: bool,
}

impl CheckRequest {
    /// The default properties of `inputs`, with every option at its default.
    pub fn new(inputs: Vec<PathBuf>) -> CheckRequest {
        CheckRequest {
            properties: default_properties(&inputs),
            inputs,
            propositions: Vec::new(),
            engine: "auto".into(),
            bounds: RequestedBounds::default(),
            budget: Budget::default(),
            compile: CompileOptions::default(),
            semantics: SemanticOptions::default(),
            thread_systems: ThreadSystemOptions::default(),
            explicit: ExplicitOptions::default(),
            symbolic: SymbolicOptions::default(),
            harness: None,
            towards: Vec::new(),
        }
    }

    /// Refuses what makes no sense whatever the program is.
    pub fn validate(&self) -> Result<(), DriverError> {
        if self.inputs.is_empty() {
            return Err(DriverError::usage("no input was given"));
        }
        if self.properties.is_empty() {
            return Err(DriverError::usage("no property given"));
        }
        let engines = crate::engine_names();
        if !engines.contains(&self.engine.as_str()) {
            let message = format!("`{}` is not an engine", self.engine);
            return Err(DriverError::usage(message).hint(format!("--engine {}", engines.join(" | "))));
        }
        if self.engine == "directed" && self.towards.is_empty() {
            return Err(DriverError::usage("the engine `directed` needs lines to steer threads towards")
                .hint("--towards FILE:LINE, once for each line"));
        }
        let bounded = self.bounds.preemptions.is_some() || self.bounds.context_switches.is_some();
        let infinite = self.properties.iter().find(|p| matches!(p, Property::Termination | Property::Ltl(_)));
        if let (true, Some(property)) = (bounded, infinite) {
            return Err(DriverError::usage(format!(
                "`{}` is a property of infinite runs and cannot be combined with a bound on switches",
                property.word()
            ))
            .hint("leave out --preemptions and --context-switches"));
        }
        let mut names = std::collections::BTreeSet::new();
        for (name, _) in &self.propositions {
            if !names.insert(name) {
                return Err(DriverError::usage(format!("the proposition `{name}` is given twice")));
            }
        }
        Ok(())
    }
}

/// What only the explicit-state engine uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExplicitOptions {
    /// Supersteps: consecutive steps of one thread that are invisible to the others are one transition.
    pub superstep: bool,
    /// Ample sets: a thread is followed alone where its step is independent of all that others can ever do.
    pub ample: bool,
    /// The same where the others are excluded only by the locks that it holds.
    pub patterns: bool,
    /// The same where an access is proved to be guarded, by locks or the order of threads. Off by default until it has been compared
    /// on as many programs as the others.
    pub guards: bool,
    /// Symmetry reduction: threads that cannot be distinguished are interchangeable.
    pub symmetry: bool,
    /// It was requested by name: where it does not apply, there is a warning.
    pub symmetry_by_name: bool,
    /// Sleep sets.
    pub sleep: bool,
    /// With a bound on switches too; they are then counted between supersteps.
    pub superstep_within_bounds: bool,
    pub depth_first: bool,
    pub storage: StorageOption,
    pub bitstate_mb: u64,
    /// Of an input with too many values, so many are tried.
    pub sample_choices: Option<u64>,
}

/// How the explicit-state engine stores states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageOption {
    Exact,
    /// Hash compaction: a hash of each.
    Compact,
    /// Bitstate hashing: a few bits of each.
    Bitstate,
}

impl Default for ExplicitOptions {
    fn default() -> Self {
        ExplicitOptions {
            superstep: true,
            ample: true,
            patterns: true,
            guards: false,
            symmetry: true,
            symmetry_by_name: false,
            sleep: false,
            superstep_within_bounds: false,
            depth_first: false,
            storage: StorageOption::Exact,
            bitstate_mb: 64,
            sample_choices: None,
        }
    }
}

/// How the symbolic engines work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolicOptions {
    pub ordering: OrderingOption,
    /// File, line, and how often loops that begin there are unrolled at most.
    pub unwind_loops: Vec<(String, u32, u32)>,
    /// Check the certificate of every answer of no.
    pub check_proofs: bool,
    /// Where certificates are written.
    pub certificate: Option<PathBuf>,
}

/// How the order of events is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OrderingOption {
    /// By the number of events.
    #[default]
    Automatic,
    Theory,
    Literals,
    Clauses,
    Clocks,
}

/// Bounds that the user set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RequestedBounds {
    pub unwind: Option<u64>,
    pub preemptions: Option<u64>,
    pub context_switches: Option<u64>,
    /// Raise the bounds step by step until an answer is found or the budget is spent.
    pub iterate: bool,
    /// Number of ordering constraints that `pct` aims at.
    pub pct_depth: Option<u64>,
}

/// Sizes of integers and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    Ilp32,
    #[default]
    Lp64,
}

impl DataModel {
    pub fn word(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// What the compiler does before checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptimizeLevel {
    #[default]
    O0,
    O1,
    O2,
    O3,
    Os,
}

impl OptimizeLevel {
    /// As after `-O`.
    pub fn word(self) -> &'static str {
        match self {
            OptimizeLevel::O0 => "0",
            OptimizeLevel::O1 => "1",
            OptimizeLevel::O2 => "2",
            OptimizeLevel::O3 => "3",
            OptimizeLevel::Os => "s",
        }
    }
}

/// How C becomes the program model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompileOptions {
    /// The compiler to use; found on the path otherwise.
    pub clang: Option<PathBuf>,
    pub data_model: DataModel,
    pub optimize: OptimizeLevel,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    pub include_paths: Vec<PathBuf>,
    pub standard: Option<String>,
    /// Flags of compilation databases and traces reach the compiler unchecked.
    pub trust_flags: bool,
    /// Included files must lie in these folders or the system's; in those of the inputs, if none is named.
    pub restrict_includes: Option<Vec<PathBuf>>,
}

/// Memory models. Others than sequential consistency come later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryModel {
    SequentialConsistency,
}

/// What `--volatile-is-atomic` makes of volatile accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VolatileOrder {
    Relaxed,
    SequentiallyConsistent,
}

impl VolatileOrder {
    /// As it is written on the command line and in traces.
    pub fn word(self) -> &'static str {
        match self {
            VolatileOrder::Relaxed => "relaxed",
            VolatileOrder::SequentiallyConsistent => "seq_cst",
        }
    }

    pub fn from_word(word: &str) -> Option<VolatileOrder> {
        [VolatileOrder::Relaxed, VolatileOrder::SequentiallyConsistent].into_iter().find(|o| o.word() == word)
    }
}

/// Switches of the semantics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SemanticOptions {
    /// `None` when the user did not say: then weak orders make the verdict `bounded` at most.
    pub memory_model: Option<MemoryModel>,
    pub spurious_wakeups: bool,
    /// Fairness: of infinite runs, only those count in which every thread that stays enabled steps again.
    pub fairness: bool,
    pub malloc_may_fail: bool,
    pub reuse_addresses: bool,
    /// Clocks give one time for ever.
    pub clock_stands: bool,
    /// Volatile loads and stores are atomic.
    pub volatile: Option<VolatileOrder>,
    /// Functions without a body that return anything and write anything to what their arguments point to.
    pub havoc: Vec<String>,
    /// The function by which states are distinguished; `raddle_abstract`, if the program has it. It is part of the
    /// program though nothing calls it.
    pub abstraction: Option<String>,
    /// C files with models of the user's own primitives.
    pub models: Vec<PathBuf>,
    /// The arguments of `main` behind the name of the program.
    pub arguments: Vec<String>,
    /// `NAME=VALUE` of each variable of the environment.
    pub environment: Vec<String>,
    /// Files that the program finds.
    pub files: Vec<GivenFile>,
    /// The standard input, with the path that it was read from.
    pub standard_input: Option<GivenFile>,
    /// A function of which every call violates `assert`, whatever its body does. A body of the program's own that might not
    /// fail makes the row `unknown`.
    pub error_function: Option<String>,
}

/// A file with the contents that the program reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenFile {
    /// As the program names it.
    pub path: String,
    pub contents: Vec<u8>,
}

/// The largest file of `--file` and `--stdin`: a trace carries its contents.
const MOST_GIVEN: u64 = 1 << 20;

impl GivenFile {
    /// What `from` contains is what the program finds at `path`.
    pub fn read(path: &str, from: &Path) -> Result<GivenFile, DriverError> {
        Ok(GivenFile { path: path.to_string(), contents: crate::inputs::read_regular(from, MOST_GIVEN)? })
    }
}

impl SemanticOptions {
    /// The name of the abstraction function, if the program has one.
    pub fn abstraction_name(&self) -> &str {
        self.abstraction.as_deref().unwrap_or("raddle_abstract")
    }
}

impl Default for SemanticOptions {
    fn default() -> Self {
        SemanticOptions {
            memory_model: None,
            spurious_wakeups: true,
            fairness: true,
            malloc_may_fail: false,
            reuse_addresses: false,
            clock_stands: false,
            volatile: None,
            havoc: Vec::new(),
            abstraction: None,
            models: Vec::new(),
            arguments: Vec::new(),
            environment: Vec::new(),
            files: Vec::new(),
            standard_input: None,
            error_function: None,
        }
    }
}

/// How many threads a Boolean program or thread transition system starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialThreads {
    Exactly(u64),
    Any,
}

/// What only `.bp` and `.tts` inputs use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadSystemOptions {
    pub initial_threads: Option<InitialThreads>,
    pub max_threads: Option<u64>,
    pub error_label: Option<String>,
    pub init: Option<String>,
    pub target: Option<String>,
    /// One of [`METHODS`]; `auto` unless said.
    pub method: Option<String>,
    /// The partial order reductions of an engine over Boolean programs: `none`, `all`, or names with `+` between them.
    pub partial_order: Option<String>,
}
