//! The command-line arguments. Values are checked here, so that an absurd one is a usage error with the
//! option's name in it.

use crate::lint_arguments::{LintArguments, lint_rules};
use clap::{Args, Parser, Subcommand, ValueEnum};
use raddle_driver::InitialThreads;
use raddle_trace::Property;
use std::ffi::OsString;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Exit codes: 0 proved, 1 violated, 2 bounded (no violation within the printed bounds), 3 unknown,
64 usage error, 65 the input cannot be read or compiled, 70 internal error,
74 the report or trace could not be written (the verdict is on standard output or standard error).";

/// Verifies multi-threaded C: finds an interleaving that breaks it, or says what was proved and under which bounds
/// and assumptions.
#[derive(Parser, Debug)]
#[command(name = "raddle", version, after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a program
    #[command(allow_negative_numbers = true)]
    Check(Box<CheckArguments>),
    /// Find likely defects of threads and locks without a search; confirm them by executions if wanted
    #[command(after_help = lint_rules())]
    Lint(Box<LintArguments>),
    /// Write a harness for functions of a source: a main that calls them, in threads if wanted
    Harness(HarnessArguments),
    /// Execute a saved trace again, at once or step by step
    Replay(ReplayArguments),
    /// Write the HTML view of a trace or report, and open it in a browser
    View(ViewArguments),
    /// Format a Boolean program
    Fmt(FormatArguments),
    /// Print the table of supported library functions
    Models,
    /// Print the JSON Schema of a report or a trace
    Schema {
        #[arg(value_name = "report|trace")]
        document: SchemaArgument,
    },
    /// Print completions for a shell
    Completions {
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Man {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Args, Clone, Debug)]
pub struct CheckArguments {
    /// C sources, .i, LLVM .ll/.bc, a folder or compile_commands.json, .bp, .tts [default: those of raddle.toml]
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// assert, race, deadlock, memsafety, overflow, locks, leak, termination or ltl=FORMULA; repeatable
    /// [default: assert, race, deadlock, memsafety, overflow, locks; of a .bp assert, of a .tts target]
    #[arg(short, long = "property", value_name = "PROPERTY", help_heading = "What to check")]
    pub properties: Vec<Property>,
    /// A C expression over globals that must hold after each visible operation; repeatable
    #[arg(long = "invariant", value_name = "EXPR", value_parser = not_blank, help_heading = "What to check")]
    pub invariants: Vec<String>,
    /// A property file of SV-COMP; the last line is `svcomp: TRUE`, `svcomp: FALSE(...)` or `svcomp: UNKNOWN`
    #[arg(long, value_name = "PROPERTY.prp", conflicts_with_all = ["properties", "invariants"], help_heading = "What to check")]
    pub svcomp: Option<PathBuf>,
    /// A name for a C expression, for use in LTL formulas; repeatable
    #[arg(long = "prop", value_name = "NAME=EXPR", value_parser = proposition, help_heading = "What to check")]
    pub propositions: Vec<(String, String)>,

    /// The engine; `auto` tries several (of a .bp also summaries, sat-summaries, universal-summaries, structural, nesting,
    /// counters, symbolic-counters, hybrid, hybrid-counters, context-bounded and unbounded)
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine, help_heading = "How")]
    pub engine: String,
    /// Unroll every loop and recursion at most N times (`order`; by default as far as is needed)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MILLION), help_heading = "How")]
    pub unwind: Option<u64>,
    /// Unroll loops that begin in this line at most N times (`order`); repeatable
    #[arg(long = "unwind-loop", value_name = "FILE:LINE=N", value_parser = unwound_loop, help_heading = "How")]
    pub unwind_loops: Vec<(String, u32, u32)>,
    /// Steer threads towards this line (`directed`); repeatable, twice for two threads
    #[arg(long, value_name = "FILE:LINE", value_parser = line_of_a_file, help_heading = "How")]
    pub towards: Vec<(String, u32)>,
    /// How `order` decides the order of events [default: by their number]
    #[arg(long, value_name = "HOW", value_enum, help_heading = "How")]
    pub ordering: Option<OrderingArgument>,
    /// Check the certificate of every answer of the solver that `order` relies on
    #[arg(long, help_heading = "How")]
    pub check_proofs: bool,
    /// Write these certificates into a folder
    #[arg(long, value_name = "DIR", help_heading = "How")]
    pub certificate: Option<PathBuf>,
    /// At most N switches away from a thread that is still enabled
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MILLION), help_heading = "How")]
    pub preemptions: Option<u64>,
    /// At most N changes of the running thread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MILLION), help_heading = "How")]
    pub context_switches: Option<u64>,
    /// Raise the bounds step by step
    #[arg(long, help_heading = "How")]
    pub iterate: bool,
    /// Reductions of `explicit` [default: all sound ones except sleep]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum, help_heading = "How")]
    pub reduction: Vec<ReductionArgument>,
    /// The abstraction function `void NAME(void *buffer)` for state matching in `explicit`; never a proof
    #[arg(long, value_name = "NAME", help_heading = "How")]
    pub abstraction: Option<String>,
    /// Which states `explicit` expands first: bfs finds the shortest counterexample [default: bfs]
    #[arg(long, value_name = "ORDER", value_enum, help_heading = "How")]
    pub search: Option<SearchArgument>,
    /// State storage of `explicit`; all but `exact` are incomplete [default: exact]
    #[arg(long, value_name = "HOW", value_enum, help_heading = "How")]
    pub store: Option<StoreArgument>,
    /// Megabytes of `--store bitstate`; must be less than the memory limit [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=MILLION), help_heading = "How")]
    pub bitstate_mb: Option<u64>,
    /// Of an input with more than 1024 values `explicit` explores N, chosen by the seed; never a proof
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024), help_heading = "How")]
    pub sample_choices: Option<u64>,
    /// Schedules that `random` and `pct` run at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "How")]
    pub schedules: Option<u64>,
    /// Depth of the bugs that `pct` aims at
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000), help_heading = "How")]
    pub pct_depth: Option<u64>,
    /// Where all randomness comes from
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "How")]
    pub seed: u64,

    /// Worker threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024), help_heading = "Limits")]
    pub threads: Option<u64>,
    /// Stop after S seconds
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,
    /// Stop at the first violation; rows that are open then are `unknown`
    #[arg(long, conflicts_with = "keep_going", help_heading = "Limits")]
    pub stop_at_first: bool,
    /// Search on after a violation until every row is decided [default: stop when the open rows have cost ten times as much]
    #[arg(long, help_heading = "Limits")]
    pub keep_going: bool,
    /// Stop at MB megabytes [default: three quarters of what is available at the start]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=16_777_216), help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    /// The memory model; if given, weaker orders are treated as sequentially consistent
    #[arg(long, value_name = "MODEL", help_heading = "What the program means")]
    pub memory_model: Option<MemoryModelArgument>,
    /// Condition variables wake up only when signalled
    #[arg(long, help_heading = "What the program means")]
    pub no_spurious_wakeups: bool,
    /// Do not assume weak fairness (for termination and ltl)
    #[arg(long, help_heading = "What the program means")]
    pub no_fairness: bool,
    /// All clocks return one time for ever [default: any time not before the one previously returned]
    #[arg(long, help_heading = "What the program means")]
    pub clock_stands_still: bool,
    /// malloc may return NULL
    #[arg(long, help_heading = "What the program means")]
    pub malloc_may_fail: bool,
    /// malloc may return a block that was freed
    #[arg(long, help_heading = "What the program means")]
    pub reuse_addresses: bool,
    /// Volatile loads and stores are atomic; `x++` stays a load and a store
    #[arg(long, value_name = "ORDER", num_args = 0..=1, require_equals = true, default_missing_value = "relaxed", help_heading = "What the program means")]
    pub volatile_is_atomic: Option<VolatileArgument>,
    /// The arguments of main, split as a shell splits them: --args '-n 4 file'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true, value_parser = words, help_heading = "What the program means")]
    pub args: Option<Words>,
    /// A variable of the environment; repeatable
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable, help_heading = "What the program means")]
    pub environment: Vec<String>,
    /// Call this function instead of main, with any arguments (see `raddle harness`); repeatable
    #[arg(long = "entry", value_name = "FUNCTION", value_parser = not_blank, help_heading = "A library without main")]
    pub entries: Vec<String>,
    /// Call these functions afterwards, each in a thread of its own; one may be named several times
    #[arg(long, value_name = "F,G", value_delimiter = ',', value_parser = not_blank, help_heading = "A library without main")]
    pub concurrent: Vec<String>,
    /// Elements of the objects that pointers lead to [default: 1]
    #[arg(long = "array", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024), help_heading = "A library without main")]
    pub elements: Option<u64>,
    /// Pointers of one type lead to the same object in every call
    #[arg(long, help_heading = "A library without main")]
    pub share: bool,
    /// The standard input of the program [default: anything]
    #[arg(long, value_name = "FILE", help_heading = "What the program means")]
    pub stdin: Option<PathBuf>,
    /// A file that the program finds at PATH, with the contents of FILE; repeatable [default: a file opens or not, with any
    /// contents]
    #[arg(long = "file", value_name = "PATH=FILE", value_parser = given_file, help_heading = "What the program means")]
    pub files: Vec<(String, PathBuf)>,
    /// Write stand-ins for all functions and objects without a definition to a C file, and check with them
    #[arg(long, value_name = "FILE", help_heading = "What the program means")]
    pub stub_missing: Option<PathBuf>,
    /// A function without a body returns anything and writes anything to what its arguments point to; repeatable
    #[arg(long, value_name = "FUNCTION", value_parser = not_blank, help_heading = "What the program means")]
    pub havoc: Vec<String>,
    /// A C file with models of your own primitives; repeatable
    #[arg(long = "models", value_name = "FILE", help_heading = "What the program means")]
    pub models: Vec<PathBuf>,

    /// The compiler [default: RADDLE_CLANG, or the newest clang on the path]
    #[arg(long, value_name = "PATH", help_heading = "Compiling")]
    pub clang: Option<PathBuf>,
    /// Sizes of integers and pointers [default: LP64]
    #[arg(long, value_name = "MODEL", ignore_case = true, help_heading = "Compiling")]
    pub data_model: Option<DataModelArgument>,
    /// Optimisation level of the compiler [default: 0]
    #[arg(long, value_name = "LEVEL", help_heading = "Compiling")]
    pub optimize: Option<OptimizeArgument>,
    /// Passed on to the compiler
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = not_blank, help_heading = "Compiling")]
    pub defines: Vec<String>,
    /// Passed on to the compiler
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiling")]
    pub include_paths: Vec<PathBuf>,
    /// Passed on to the compiler; also spelt -std=STANDARD
    #[arg(long = "std", value_name = "STANDARD", value_parser = not_blank, help_heading = "Compiling")]
    pub standard: Option<String>,

    /// Check the sources of one program that a build with raddle-cc linked; INPUT is the folder of the records [default: the
    /// nearest .raddle above the current folder]
    #[arg(long, value_name = "NAME", value_parser = not_blank, help_heading = "Compiling")]
    pub link_target: Option<String>,
    /// Pass on flags of compile_commands.json that are unknown or could make the compiler run something
    #[arg(long, help_heading = "Compiling")]
    pub trust_flags: bool,
    /// Refuse sources that include files outside DIR and the system's folders; repeatable [default DIR: the folders of the
    /// inputs]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "", help_heading = "Compiling")]
    pub restrict_includes: Option<Vec<OsString>>,

    /// Threads at the start (.bp and .tts) [default: 1 of a .bp]
    #[arg(long, value_name = "N|any", value_parser = initial_threads, help_heading = "Boolean programs and thread systems")]
    pub initial_threads: Option<InitialThreads>,
    /// Threads alive at most (.bp and .tts)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MILLION), help_heading = "Boolean programs and thread systems")]
    pub max_threads: Option<u64>,
    /// The label that must not be reached (.bp) [default: SLIC_ERROR]
    #[arg(long, value_name = "L", value_parser = not_blank, help_heading = "Boolean programs and thread systems")]
    pub error_label: Option<String>,
    /// The initial state, such as 0|1,1 (these threads), 0/2 (any number in 2) or 0|1/2 (.tts) [default: 0/0]
    #[arg(long, value_name = "STATE", value_parser = not_blank, help_heading = "Boolean programs and thread systems")]
    pub init: Option<String>,
    /// The state that must not be covered, such as 1|2,2, or a file with it (.tts)
    #[arg(long, value_name = "STATE", value_parser = not_blank, help_heading = "Boolean programs and thread systems")]
    pub target: Option<String>,
    /// Algorithm for unboundedly many threads (.tts; of a .bp, as a thread transition system)
    #[arg(long, value_name = "NAME", value_parser = method, help_heading = "Boolean programs and thread systems")]
    pub method: Option<String>,
    /// Partial order reductions: none, all, or ample, persistent and cartesian with + between them (.bp; hybrid and hybrid-counters, of symbolic-counters ample) [default: none]
    #[arg(long, value_name = "LIST", value_parser = not_blank, help_heading = "Boolean programs and thread systems")]
    pub partial_order: Option<String>,

    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: FormatArgument,
    /// Write the report to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// The least verdict that gives its exit code; those below give 0 (the result line stays) [default: the exit code is
    /// that of the verdict]
    #[arg(long, value_name = "VERDICT", help_heading = "Output")]
    pub fail_on: Option<FailOnArgument>,
    /// An earlier report in JSON or SARIF: its violations are marked as known, and do not count for --fail-on
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
    /// Write a witness of SV-COMP: .graphml (version 1.0), .yml or .yaml (version 2.0); repeatable
    #[arg(long = "witness", value_name = "FILE", requires = "svcomp", help_heading = "Output")]
    pub witnesses: Vec<PathBuf>,
    /// Save the trace of the violation for `raddle replay` (further ones beside it, numbered)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save_trace: Option<PathBuf>,
    /// Only the verdicts: no traces, no progress
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Show every step of long traces
    #[arg(long, visible_alias = "verbose", help_heading = "Output")]
    pub full: bool,
    /// Traces as lines `FILE:LINE: THREAD: WHAT`, without columns
    #[arg(long, help_heading = "Output")]
    pub plain: bool,
    /// Print statistics
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: ColorArgument,

    /// Take defaults of these options from FILE [default: raddle.toml in the folder of the first input or above it]
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub config: Option<PathBuf>,
    /// Use no raddle.toml
    #[arg(long, conflicts_with_all = ["config", "profile"], help_heading = "Configuration")]
    pub no_config: bool,
    /// The options of [profile.NAME] override those of [check]
    #[arg(long, value_name = "NAME", help_heading = "Configuration")]
    pub profile: Option<String>,
    /// What the configuration contributed.
    #[arg(skip)]
    pub configured: Option<crate::configuration::Configured>,
}

#[derive(Args, Debug)]
pub struct ReplayArguments {
    /// A trace saved by --save-trace, or a JSON report
    pub trace: PathBuf,
    /// The program [default: the files that the trace names]
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Pass on flags of the trace or of compile_commands.json that could make the compiler run something
    #[arg(long)]
    pub trust_flags: bool,
    /// Refuse sources that include files outside DIR and the system's folders; repeatable [default DIR: the folders of the
    /// inputs]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub restrict_includes: Option<Vec<OsString>>,
    /// Which trace of a report, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub number: u64,
    /// Print one step at a time; on a terminal, Enter continues
    #[arg(long)]
    pub step: bool,
    /// Show every step of a long trace
    #[arg(long, visible_alias = "verbose")]
    pub full: bool,
    /// Lines `FILE:LINE: THREAD: WHAT`, without columns
    #[arg(long)]
    pub plain: bool,
    /// Only print the saved trace, without executing it
    #[arg(long, conflicts_with = "step")]
    pub show: bool,
    /// Compile the program with a scheduling runtime and EXECUTE it, through the interleaving of the trace
    #[arg(long, conflicts_with_all = ["step", "show", "full"])]
    pub native: bool,
    /// Execute it under gdb, which stops at each context switch
    #[arg(long, requires = "native")]
    pub gdb: bool,
    /// Keep the compiled program and what it was made from in DIR, to run it under other tools
    #[arg(long, value_name = "DIR", requires = "native")]
    pub keep: Option<PathBuf>,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorArgument,
}

#[derive(Args, Debug)]
pub struct HarnessArguments {
    /// The C source with the functions
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// A function that the first thread calls; repeatable
    #[arg(long = "entry", value_name = "FUNCTION", required_unless_present = "concurrent")]
    pub entries: Vec<String>,
    /// Functions that are called afterwards, each in a thread of its own; one may be named several times
    #[arg(long, value_name = "F,G", value_delimiter = ',')]
    pub concurrent: Vec<String>,
    /// Elements of the objects that pointers lead to
    #[arg(long = "array", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub elements: u64,
    /// Pointers of one type lead to the same object in every call
    #[arg(long)]
    pub share: bool,
    /// Write it to a file, which is never overwritten [default: standard output, for a file in the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Define NAME or NAME=VALUE; passed on to the compiler
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// A folder with headers; passed on to the compiler
    #[arg(short = 'I', value_name = "DIR")]
    pub include_paths: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct ViewArguments {
    /// A trace saved by --save-trace, or a JSON report
    #[arg(value_name = "TRACE|REPORT")]
    pub file: PathBuf,
    /// Write the page to a file [default: a file in the user's cache folder]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
}

#[derive(Args, Debug)]
pub struct FormatArguments {
    /// The Boolean program
    #[arg(value_name = "FILE.bp")]
    pub file: PathBuf,
    /// Write the formatted program to a file, which may be the same one [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write nothing; the exit code is 1 if the file is not formatted
    #[arg(long, conflicts_with = "output")]
    pub check: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FormatArgument {
    Text,
    Json,
    Sarif,
    /// One page that opens in a browser, offline
    Html,
    /// JUnit XML, for test servers
    Junit,
    /// For a comment on a pull request
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FailOnArgument {
    /// Violated only
    Violated,
    /// Violated and unknown
    Unknown,
    /// All but proved
    Bounded,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SchemaArgument {
    /// Of `raddle check --format json`
    Report,
    /// Of `raddle check --save-trace`
    Trace,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorArgument {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MemoryModelArgument {
    /// Sequential consistency
    Sc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum VolatileArgument {
    Relaxed,
    #[value(name = "seq_cst")]
    SeqCst,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModelArgument {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OptimizeArgument {
    #[value(name = "0")]
    O0,
    #[value(name = "1")]
    O1,
    #[value(name = "2")]
    O2,
    #[value(name = "3")]
    O3,
    #[value(name = "s")]
    Os,
}

/// The folders that `--restrict-includes` names; none if it was given without.
pub fn restriction(named: &Option<Vec<OsString>>) -> Option<Vec<PathBuf>> {
    let folders = named.as_ref()?.iter().filter(|name| !name.is_empty());
    Some(folders.map(PathBuf::from).collect())
}

const MILLION: u64 = 1_000_000;
/// Eleven days: longer is a slip of the finger.
const LONGEST_TIMEOUT: f64 = 1_000_000.0;

/// `-std=c11` is one word with one dash, which no option parser of long and short options understands.
pub fn accept_compiler_spelling(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut only_files = false;
    arguments
        .into_iter()
        .map(|argument| {
            only_files |= argument == "--";
            match argument.to_str() {
                Some(text) if !only_files && text.starts_with("-std=") => OsString::from(format!("-{text}")),
                _ => argument,
            }
        })
        .collect()
}

pub fn not_blank(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("must not be empty".into()) } else { Ok(text.to_string()) }
}

/// The words of one option.
#[derive(Clone, Debug, Default)]
pub struct Words(pub Vec<String>);

fn words(text: &str) -> Result<Words, String> {
    match raddle_driver::shell_words(text) {
        Ok(words) if words.len() > MOST_WORDS => Err(format!("at most {MOST_WORDS} arguments")),
        Ok(words) => Ok(Words(words)),
        Err(why) => Err(why.into()),
    }
}

/// Arguments of a program.
const MOST_WORDS: usize = 10_000;

fn variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() => Ok(text.to_string()),
        _ => Err("a variable is set as NAME=VALUE".into()),
    }
}

fn given_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((path, file)) if !path.is_empty() && !file.is_empty() => Ok((path.into(), file.into())),
        _ => Err(
            "a file is given as PATH=FILE: the path that the program opens, and the file with its contents"
                .into(),
        ),
    }
}

fn engine(text: &str) -> Result<String, String> {
    let names = raddle_driver::engine_names();
    if names.contains(&text) {
        Ok(text.to_string())
    } else {
        Err(format!("no such engine; known are {}", names.join(", ")))
    }
}

fn method(text: &str) -> Result<String, String> {
    if raddle_driver::METHODS.contains(&text) {
        Ok(text.to_string())
    } else {
        Err(format!("no such method; known are {}", raddle_driver::METHODS.join(", ")))
    }
}

fn proposition(text: &str) -> Result<(String, String), String> {
    let (name, expression) = text.split_once('=').ok_or("expected NAME=EXPR")?;
    let (name, expression) = (name.trim(), expression.trim());
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{name}` is not a name (letters, digits and _)"));
    }
    Ok((name.to_string(), not_blank(expression)?))
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= LONGEST_TIMEOUT => Ok(value),
        Ok(_) => Err(format!("must be more than 0 and at most {LONGEST_TIMEOUT} seconds")),
        Err(_) => Err("expected a number of seconds".into()),
    }
}

fn initial_threads(text: &str) -> Result<InitialThreads, String> {
    match text {
        "any" => Ok(InitialThreads::Any),
        number => match number.parse::<u64>() {
            Ok(n) if (1..=MILLION).contains(&n) => Ok(InitialThreads::Exactly(n)),
            _ => Err(format!("expected a number from 1 to {MILLION}, or `any`")),
        },
    }
}

fn unwound_loop(text: &str) -> Result<(String, u32, u32), String> {
    let expected = "expected FILE:LINE=N";
    let (place, count) = text.rsplit_once('=').ok_or(expected)?;
    let (file, line) = place.rsplit_once(':').ok_or(expected)?;
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n > 0).ok_or(expected);
    Ok((not_blank(file)?, number(line)?, number(count)?))
}

fn line_of_a_file(text: &str) -> Result<(String, u32), String> {
    let expected = "expected FILE:LINE";
    let (file, line) = text.rsplit_once(':').ok_or(expected)?;
    let line = line.trim().parse().ok().filter(|line| *line > 0).ok_or(expected)?;
    Ok((not_blank(file)?, line))
}

/// How an ordering is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum OrderingArgument {
    Theory,
    Literals,
    Clauses,
    Clocks,
}

/// Orders of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum SearchArgument {
    Bfs,
    Dfs,
}

/// State storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum StoreArgument {
    /// Whole states, compressed
    Exact,
    /// Hash compaction, 64 bits
    Compact,
    /// Bitstate hashing, 3 bits
    Bitstate,
}

/// Reductions of the explicit-state engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ReductionArgument {
    /// No reduction
    None,
    /// Merge independent steps of a thread
    Superstep,
    /// Ample sets
    Ample,
    /// Ample sets with lock-acquisition patterns
    Patterns,
    /// Ample sets with accesses that are proved to be guarded; off unless it is named
    Guards,
    /// Sleep sets
    Sleep,
    /// Thread symmetry
    Symmetry,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn compiler_spelling() {
        let given = ["raddle", "check", "-std=c99", "--", "-std=c11"].map(OsString::from).to_vec();
        let expected = ["raddle", "check", "--std=c99", "--", "-std=c11"].map(OsString::from).to_vec();
        assert_eq!(accept_compiler_spelling(given), expected);
    }

    #[test]
    fn propositions() {
        assert_eq!(proposition("p=x == 1"), Ok(("p".into(), "x == 1".into())));
        assert!(proposition("p").is_err() && proposition("1p=x").is_err() && proposition("p=").is_err());
    }
}
