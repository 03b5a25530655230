//! From a source file to textual LLVM IR: finds clang, runs it, and carries its own words when it refuses.
//!
//! - `.c` and `.i` are compiled with debug information; GNU dialect, old inline semantics, no warnings, which is
//!   what programs of the last thirty years need. When clang refuses only what older compilers let pass
//!   (implicit declarations, integers as pointers, ...), a second try lets it pass too, and says so.
//!   Text that gcc preprocessed gets a third one, in which the words that only gcc accepts are replaced.
//! - 32-bit programs compile on a machine that has only 64-bit headers: glibc then lacks a single file, the empty
//!   `gnu/stubs-32.h`, which is written to a temporary directory and removed afterwards.
//! - `.ll` is read as it is, `.bc` goes through clang or `llvm-dis`.
//!
//! Deliberately absent: linking. Each source gives one text; the modules are joined later, because names of
//! static functions must stay apart and errors must name both sources.

pub(crate) mod atomic_functions;
mod find;
mod headers;
mod naming;
mod process;
mod restrict;

pub use find::{Clang, OLDEST, find_clang, find_clang_within};
pub use naming::{called, rename};
pub use process::{RunLimits, Stopped};
pub use restrict::Restriction;

use crate::kept::Kept;
use headers::Headers;
use process::Ran;
pub(crate) use process::run_limited;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiler does before the program is checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum OptLevel {
    #[default]
    O0,
    O1,
    O2,
    O3,
    Os,
}

impl OptLevel {
    fn flag(self) -> &'static str {
        match self {
            OptLevel::O0 => "-O0",
            OptLevel::O1 => "-O1",
            OptLevel::O2 => "-O2",
            OptLevel::O3 => "-O3",
            OptLevel::Os => "-Os",
        }
    }
}

/// The sizes of `long` and of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum DataModel {
    /// Both 64 bits.
    #[default]
    Lp64,
    /// Both 32 bits.
    Ilp32,
}

/// How to compile.
#[derive(Clone, Default, Debug)]
pub struct CompileOptions {
    /// The user's choice; otherwise `RADDLE_CLANG`, otherwise the newest on the path.
    pub clang: Option<PathBuf>,
    pub optimize: OptLevel,
    pub data_model: DataModel,
    /// `-D`: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-I`, the user's.
    pub includes: Vec<PathBuf>,
    /// `-isystem`, raddle's own: where `raddle.h` is.
    pub system_includes: Vec<PathBuf>,
    /// `-std`; `gnu11` if it is not given.
    pub std: Option<String>,
    /// Put before the source as they are.
    pub extra_flags: Vec<OsString>,
    /// Flags of single sources, which come before all others: those of a compilation database, checked.
    pub source_flags: BTreeMap<PathBuf, Vec<OsString>>,
    /// What single sources are called in the program (`__FILE__`, places) instead of by their paths.
    pub names: BTreeMap<PathBuf, String>,
    /// Where included files must lie; anywhere if it is not given.
    pub restriction: Option<Restriction>,
    /// When a compiler is ended.
    pub limits: RunLimits,
    /// Where compiled texts are kept, and the keys of sources ([`crate::kept`]); what has no key is compiled anew.
    pub kept: Option<(Kept, BTreeMap<PathBuf, String>)>,
}

/// Textual LLVM IR and where it comes from.
#[derive(Clone, Debug)]
pub struct LlvmText {
    pub bytes: Vec<u8>,
    /// The compiler; `None` for a `.ll` file.
    pub clang: Option<Clang>,
    /// What clang said when it first refused the source, if the second, more tolerant try succeeded.
    pub tolerated: Option<String>,
}

/// Why there is no text.
#[derive(Debug)]
pub enum CompileError {
    /// No clang is installed, or none that is new enough.
    NoClang(String),
    /// A program could not be started.
    CannotRun { program: PathBuf, error: std::io::Error },
    /// A file could not be read, or a temporary one not be written.
    File { path: PathBuf, error: std::io::Error },
    /// A source of absurd size.
    TooLarge { path: PathBuf, bytes: u64, most: u64 },
    /// The name does not end in `.c`, `.i`, `.ll` or `.bc`.
    UnknownKind(PathBuf),
    /// The compiler refused the source; its own message.
    Refused { path: PathBuf, compiler: PathBuf, message: String },
    /// The compiler was ended at a limit.
    Stopped { program: PathBuf, why: Stopped },
    /// The compiler printed without end.
    Flood { program: PathBuf, bytes: u64 },
    /// The source includes a file outside the folders that it may.
    Forbidden { path: PathBuf, included: PathBuf },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::NoClang(reason) => {
                write!(f, "no usable clang: {reason}")
            }
            CompileError::CannotRun { program, error } => {
                write!(f, "cannot run {}: {error}", program.display())
            }
            CompileError::File { path, error } => write!(f, "{}: {error}", path.display()),
            CompileError::TooLarge { path, bytes, most } => {
                let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
                write!(
                    f,
                    "{} has {} MiB; sources of this kind are read up to {} MiB: check a part of the program",
                    path.display(),
                    megabytes(*bytes),
                    megabytes(*most)
                )
            }
            CompileError::UnknownKind(path) => {
                write!(f, "{}: not a source that can be read (expected .c, .i, .ll or .bc)", path.display())
            }
            CompileError::Refused { path, compiler, message } => {
                write!(f, "{} does not compile with {}:\n{message}", path.display(), compiler.display())
            }
            CompileError::Stopped { program, why } => {
                let program = program.display();
                match why {
                    Stopped::TimedOut => write!(f, "the time limit was reached while {program} ran"),
                    Stopped::Cancelled => write!(f, "interrupted while {program} ran"),
                    Stopped::OutOfMemory(mb) => {
                        write!(f, "{program} took more than {mb} MB of memory and was terminated")
                    }
                }
            }
            CompileError::Flood { program, bytes } => {
                let megabytes = bytes >> 20;
                write!(f, "{} printed more than {megabytes} MB and was terminated", program.display())
            }
            CompileError::Forbidden { path, included } => write!(
                f,
                "{} includes {}, which is outside the permitted folders (--restrict-includes)",
                path.display(),
                included.display()
            ),
        }
    }
}

impl std::error::Error for CompileError {}

/// The flags of the second try: what older compilers let pass.
const TOLERANT: [&str; 8] = [
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-implicit-function-declaration",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-implicit-int",
    "-Wno-return-type",
    "-Wno-return-mismatch",
    "-Wno-deprecated-non-prototype",
];

/// The flags of a third try, for text that another compiler preprocessed: glibc's headers then use gcc's own dialect.
/// The text goes through a preprocessor with nothing but these replacements.
const FOREIGN: [&str; 9] = [
    "-x",
    "c",
    "-undef",
    "-D__malloc__(...)=__malloc__",
    "-D_Float32=float",
    "-D_Float32x=double",
    "-D_Float64=double",
    "-D_Float64x=long double",
    "-D_Float128=__float128",
];

/// The largest C source: clang takes a minute and gigabytes for more. The largest preprocessed programs have 10 MB.
const MOST_C: u64 = 64 << 20;
/// The largest LLVM module: it is kept in memory as text and as a tree.
const MOST_LLVM: u64 = 512 << 20;

/// The text of a `.c`, `.i`, `.ll` or `.bc` file.
pub fn to_llvm_text(path: &Path, options: &CompileOptions) -> Result<LlvmText, CompileError> {
    // Checked before the compiler runs: its message for a missing file names neither raddle nor what to do.
    let file_error = |error| CompileError::File { path: path.to_path_buf(), error };
    let metadata = std::fs::metadata(path).map_err(file_error)?;
    if metadata.is_dir() {
        return Err(file_error(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    // A pipe could block for ever, and can be read only once.
    if !metadata.is_file() {
        let reason = std::io::Error::other("not a regular file; copy it into one");
        return Err(file_error(reason));
    }
    let most = if matches!(extension, Some("ll" | "bc")) { MOST_LLVM } else { MOST_C };
    if metadata.len() > most {
        return Err(CompileError::TooLarge { path: path.to_path_buf(), bytes: metadata.len(), most });
    }
    match extension {
        Some("ll") => {
            let bytes = std::fs::read(path).map_err(file_error)?;
            Ok(LlvmText { bytes, clang: None, tolerated: None })
        }
        Some("bc") => disassemble(path, options),
        Some("c" | "h") => compile(path, options, "c"),
        Some("i") => compile(path, options, "cpp-output"),
        _ => Err(CompileError::UnknownKind(path.to_path_buf())),
    }
}

/// The text of C source that is in memory, such as an embedded library model. `name` is what debug information
/// and messages call it.
pub fn source_to_llvm_text(
    name: &str,
    source: &str,
    options: &CompileOptions,
) -> Result<LlvmText, CompileError> {
    let headers = Headers::new()?;
    let file_name = Path::new(name).file_name().unwrap_or("source.c".as_ref());
    let path = headers.write_source(file_name, source)?;
    to_llvm_text(&path, options)
}

fn compile(path: &Path, options: &CompileOptions, language: &str) -> Result<LlvmText, CompileError> {
    let Some((kept, key)) = options.kept.as_ref().and_then(|(kept, keys)| Some((kept, keys.get(path)?)))
    else {
        return compile_anew(path, options, language);
    };
    let clang = find_clang_within(options.clang.as_deref(), &options.limits)?;
    if let Some(bytes) = kept.read("text", key)
        // Its first line says whether the source was refused at first.
        && let Some(end) = bytes.iter().position(|byte| *byte == b'\n')
        && let Ok(tolerated) = serde_json::from_slice::<Option<String>>(&bytes[..end])
    {
        return Ok(LlvmText { bytes: bytes[end + 1..].to_vec(), clang: Some(clang), tolerated });
    }
    let text = compile_anew(path, options, language)?;
    if let Ok(mut bytes) = serde_json::to_vec(&text.tolerated) {
        bytes.push(b'\n');
        bytes.extend_from_slice(&text.bytes);
        kept.write("text", key, &bytes);
    }
    Ok(text)
}

/// The arguments of a compilation without temporary headers, the source apart.
pub(crate) fn plain_arguments(path: &Path, options: &CompileOptions) -> Vec<OsString> {
    arguments(path, options, None)
}

/// The text after preprocessing alone.
pub(crate) fn preprocessed(
    compiler: &Path,
    arguments: &[OsString],
    language: &str,
    path: &Path,
    options: &CompileOptions,
) -> Option<Vec<u8>> {
    // What is preprocessed already depends on nothing else.
    if language == "cpp-output" {
        return Some(Vec::new());
    }
    let ran = run(compiler, arguments, &["-E", "-x", language], path, options).ok()?;
    ran.status.success().then_some(ran.stdout)
}

fn compile_anew(path: &Path, options: &CompileOptions, language: &str) -> Result<LlvmText, CompileError> {
    let clang = find_clang_within(options.clang.as_deref(), &options.limits)?;
    let headers = match options.data_model {
        DataModel::Ilp32 => Some(Headers::new()?),
        DataModel::Lp64 => None,
    };
    let arguments = arguments(path, options, headers.as_ref());
    if let Some(restriction) = &options.restriction {
        let ours = headers.as_ref().map(Headers::folders).unwrap_or_default();
        let permitted = [&restriction.folders[..], &ours].concat();
        restrict::check(&permitted, &clang.path, &arguments, language, path, options)?;
    }
    let run = |more: &[&str]| run(&clang.path, &arguments, more, path, options);
    let first = run(&["-x", language])?;
    if first.status.success() {
        let bytes =
            with_atomic_functions(&clang, options, &arguments, &["-x", language], path, first.stdout)?;
        return Ok(LlvmText { bytes, clang: Some(clang), tolerated: None });
    }
    let mut tolerant = TOLERANT.to_vec();
    tolerant.extend(["-x", language]);
    let mut last = run(&tolerant)?;
    let mut flags = tolerant;
    if !last.status.success() && language == "cpp-output" {
        let mut foreign = TOLERANT.to_vec();
        foreign.extend(FOREIGN);
        last = run(&foreign)?;
        flags = foreign;
    }
    if !last.status.success() {
        return Err(refused(path, &clang.path, &last));
    }
    let said = String::from_utf8_lossy(&first.stderr).into_owned();
    let bytes = with_atomic_functions(&clang, options, &arguments, &flags, path, last.stdout)?;
    Ok(LlvmText { bytes, clang: Some(clang), tolerated: Some(said) })
}

/// The optimised text of a source: as the compiler gave it, unless functions are atomic by their name; then it is made
/// in two phases, with the boundaries of these functions marked between them.
fn with_atomic_functions(
    clang: &Clang,
    options: &CompileOptions,
    arguments: &[OsString],
    more: &[&str],
    path: &Path,
    text: Vec<u8>,
) -> Result<Vec<u8>, CompileError> {
    if options.optimize == OptLevel::O0 {
        return Ok(text);
    }
    let mut before = more.to_vec();
    before.extend(["-Xclang", "-disable-llvm-passes"]);
    let plain = run(&clang.path, arguments, &before, path, options)?;
    if !plain.status.success() {
        return Err(refused(path, &clang.path, &plain));
    }
    let Some(marked) = atomic_functions::mark_boundaries(&plain.stdout) else { return Ok(text) };
    let folder = Headers::new()?;
    let source = folder.write_source("marked.ll".as_ref(), &String::from_utf8_lossy(&marked))?;
    let flags: Vec<OsString> =
        ["-S", "-emit-llvm", "-w", options.optimize.flag(), "-x", "ir"].map(Into::into).into();
    let output = run(&clang.path, &flags, &[], &source, options)?;
    if output.status.success() { Ok(output.stdout) } else { Err(refused(path, &clang.path, &output)) }
}

fn refused(path: &Path, compiler: &Path, output: &Ran) -> CompileError {
    let mut message = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    if message.is_empty() {
        message = format!("it ended with {} and no message", output.status);
    }
    CompileError::Refused { path: path.to_path_buf(), compiler: compiler.to_path_buf(), message }
}

/// Everything but the source.
fn arguments(path: &Path, options: &CompileOptions, headers: Option<&Headers>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut push = |argument: &str| arguments.push(argument.into());
    ["-S", "-emit-llvm", "-g", options.optimize.flag()].into_iter().for_each(&mut push);
    // Without this, functions compiled at -O0 are marked so that no later pass may touch them.
    ["-Xclang", "-disable-O0-optnone", "-fgnu89-inline", "-w"].into_iter().for_each(&mut push);
    // Marks the lifetimes of variables at -O0 too; without the sanitizer, it does nothing else.
    ["-Xclang", "-fsanitize-address-use-after-scope"].into_iter().for_each(&mut push);
    // Atomics of 16 bytes come as instructions, which say whether a compare-exchange is weak; calls do not. Headers see
    // the processor's usual features.
    if options.data_model == DataModel::Lp64 && cfg!(target_arch = "x86_64") {
        ["-mcx16", "-U__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16"].into_iter().for_each(&mut push);
    }
    // Functions that must be inlined stay functions: they may be atomic by their name.
    if options.optimize == OptLevel::O0 {
        ["-Xclang", "-disable-llvm-passes"].into_iter().for_each(&mut push);
    }
    // C's signed `<<` cannot be distinguished from an unsigned one in LLVM's text; the checks mark it and are removed
    // again (see `lower/shift_checks.rs`). Optimised code is not judged for overflow.
    if options.optimize == OptLevel::O0 {
        ["-fsanitize=shift-base", "-fsanitize-minimal-runtime"].into_iter().for_each(&mut push);
        // No function is left out.
        ["-Dno_sanitize(...)=unused", "-D__no_sanitize__(...)=unused"].into_iter().for_each(&mut push);
    }
    // Those of the command line come last and win.
    push("-std=gnu11");
    let own = options.source_flags.get(path).into_iter().flatten();
    arguments.extend(own.chain(&naming::maps(path, options)).cloned());
    let mut push = |argument: &str| arguments.push(argument.into());
    options.std.iter().for_each(|std| push(&format!("-std={std}")));
    options.defines.iter().for_each(|define| push(&format!("-D{define}")));
    for (flag, folders) in [("-I", &options.includes), ("-isystem", &options.system_includes)] {
        for folder in folders {
            arguments.push(flag.into());
            arguments.push(naming::argument(folder).into());
        }
    }
    if let Some(headers) = headers {
        arguments.push("-m32".into());
        for folder in headers.folders() {
            arguments.push("-isystem".into());
            arguments.push(naming::argument(&folder).into());
        }
    }
    arguments.extend(options.extra_flags.iter().cloned());
    arguments
}

/// Runs the compiler; the text comes on its standard output, so no temporary file is left behind by a kill.
fn run(
    program: &Path,
    arguments: &[OsString],
    more: &[&str],
    source: &Path,
    options: &CompileOptions,
) -> Result<Ran, CompileError> {
    let mut command = Command::new(program);
    command.args(arguments).args(more).args(["-o", "-", "--"]).arg(naming::argument(source));
    run_limited(&mut command, &options.limits)
}

/// Bitcode to text, by clang or, when that is too old for the file, by any `llvm-dis`.
fn disassemble(path: &Path, options: &CompileOptions) -> Result<LlvmText, CompileError> {
    let clang = find_clang_within(options.clang.as_deref(), &options.limits);
    let mut failure = None;
    if let Ok(clang) = &clang {
        let arguments: Vec<OsString> =
            ["-S", "-emit-llvm", "-w", "-x", "ir", "-Xclang", "-disable-llvm-passes"].map(Into::into).into();
        let output = run(&clang.path, &arguments, &[], path, options)?;
        if output.status.success() {
            return Ok(LlvmText { bytes: output.stdout, clang: Some(clang.clone()), tolerated: None });
        }
        failure = Some(refused(path, &clang.path, &output));
    }
    for program in find::numbered_on_path("llvm-dis") {
        let mut command = Command::new(&program);
        let output = run_limited(command.args(["-o", "-"]).arg(naming::argument(path)), &options.limits)?;
        if output.status.success() {
            return Ok(LlvmText { bytes: output.stdout, clang: None, tolerated: None });
        }
    }
    Err(match (failure, clang) {
        (Some(failure), _) => failure,
        (None, Err(error)) => error,
        (None, Ok(clang)) => CompileError::NoClang(clang.path.display().to_string()),
    })
}
