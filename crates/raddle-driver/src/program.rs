//! Loading: from sources to a program with its visible accesses marked, and the identity that a trace carries.

use std::path::PathBuf;
use std::sync::Arc;

use raddle_clang::compile as clang;
use raddle_clang::expressions::Placed;
use raddle_clang::library::LibraryError;
use raddle_clang::llvm::ast::Ordering;
use raddle_clang::load::{Extras, LoadError, load};
use raddle_clang::lower::Surroundings;
use raddle_ir::{Callee, Constant, Function, Inst, MemoryOrder, Operand, Place, Program};
use raddle_machine::{Expression, Machine, Settings, TooLarge};
use raddle_trace::{Budget, ContentHash, InputFile, ProgramIdentity};

use crate::diagnosis;
use crate::environment_assumptions;
use crate::error::{DriverError, DriverErrorKind};
use crate::expressions::Expressions;
use crate::inputs::Sources;
use crate::nearest::nearest;
use crate::request::{CompileOptions, DataModel, OptimizeLevel, SemanticOptions, VolatileOrder};
use crate::source_lines::Readable;

/// A program ready to be checked.
pub struct Loaded {
    pub program: Arc<Program>,
    pub identity: ProgramIdentity,
    pub notes: Vec<String>,
    /// Where the user's code has an order weaker than `seq_cst`.
    pub weak_order: Option<Place>,
    /// Whether `main` uses its parameters.
    pub main_has_arguments: bool,
    /// Arguments of `main`, the name of the program among them.
    pub argument_count: usize,
    /// What library models fix of the program's environment, a sentence each.
    pub fixed: Vec<String>,
    /// What they leave out of its behaviour.
    pub left_out: Vec<String>,
    /// Functions that the sources define.
    pub defined: usize,
    /// Functions that are no part of the program proper: the user's expressions and the abstraction.
    pub kept: Vec<String>,
    pub allocates: bool,
    /// The program calls `raddle_progress`.
    pub marks_progress: bool,
    /// The user's expressions, as text and as code; invariants that the program registers itself come last.
    pub expressions: Expressions,
    pub invariants: Vec<Expression>,
    pub propositions: Vec<Expression>,
    /// Why nothing is proved of this program, whatever a search says.
    pub beyond: Option<String>,
    /// Where its source lines may be read.
    pub readable: Readable,
}

pub fn compile_options(
    options: &CompileOptions,
    semantics: &SemanticOptions,
    sources: &Sources,
    budget: &Budget,
) -> clang::CompileOptions {
    let words = |words: &Vec<String>| words.iter().map(Into::into).collect();
    let restriction = options.restrict_includes.as_ref().map(|named| {
        let mut folders = if named.is_empty() { sources.folders.clone() } else { named.clone() };
        // What the command line names is the user's own choice.
        folders.extend(options.include_paths.iter().cloned());
        folders.extend(semantics.models.iter().filter_map(|model| Some(model.parent()?.to_path_buf())));
        clang::Restriction { folders }
    });
    clang::CompileOptions {
        clang: options.clang.clone(),
        optimize: match options.optimize {
            OptimizeLevel::O0 => clang::OptLevel::O0,
            OptimizeLevel::O1 => clang::OptLevel::O1,
            OptimizeLevel::O2 => clang::OptLevel::O2,
            OptimizeLevel::O3 => clang::OptLevel::O3,
            OptimizeLevel::Os => clang::OptLevel::Os,
        },
        data_model: match sources.data_model.unwrap_or(options.data_model) {
            DataModel::Ilp32 => clang::DataModel::Ilp32,
            DataModel::Lp64 => clang::DataModel::Lp64,
        },
        defines: options.defines.clone(),
        includes: options.include_paths.clone(),
        std: options.standard.clone(),
        source_flags: sources.flags.iter().map(|(path, flags)| (path.clone(), words(flags))).collect(),
        names: sources.names.clone(),
        restriction,
        limits: clang::RunLimits {
            deadline: budget.timeout.map(|timeout| budget.started + timeout),
            cancel: budget.cancel.clone(),
            memory_mb: Some(crate::memory::limit_mb(budget)),
        },
        ..Default::default()
    }
}

/// How the front end is called: its options, the places of the user's expressions, and what is loaded beside the sources.
fn front_end(
    sources: &Sources,
    options: &CompileOptions,
    semantics: &SemanticOptions,
    expressions: &Expressions,
    budget: &Budget,
) -> Result<(clang::CompileOptions, Option<Placed>, Extras), DriverError> {
    let compiled = compile_options(options, semantics, sources, budget);
    let placed = expressions.place(sources, &compiled)?;
    let mut kept = placed.as_ref().map(|p| p.functions.clone()).unwrap_or_default();
    kept.push(semantics.abstraction_name().to_string());
    let extras = Extras {
        models: semantics.models.clone(),
        havoc: semantics.havoc.clone(),
        stand_ins: placed.as_ref().map(|p| p.stand_ins.clone()).unwrap_or_default(),
        kept,
        surroundings: Surroundings {
            arguments: semantics.arguments.clone(),
            variables: semantics.environment.clone(),
            files: semantics.files.iter().map(|file| (file.path.clone(), file.contents.clone())).collect(),
            standard_input: semantics.standard_input.as_ref().map(|file| file.contents.clone()),
        },
        numbered: false,
        volatile: semantics.volatile.map(|order| match order {
            VolatileOrder::Relaxed => Ordering::Monotonic,
            VolatileOrder::SequentiallyConsistent => Ordering::SeqCst,
        }),
        whole: false,
        members: false,
    };
    Ok((compiled, placed, extras))
}

/// The program once more, with numbers of instructions in the place of source places, and the text of each source.
pub fn load_numbered(
    sources: &Sources,
    options: &CompileOptions,
    semantics: &SemanticOptions,
    expressions: &Expressions,
    budget: &Budget,
) -> Result<(raddle_clang::load::Loaded, clang::CompileOptions), DriverError> {
    let (compiled, _placed, extras) = front_end(sources, options, semantics, expressions, budget)?;
    let extras = Extras { numbered: true, ..extras };
    let loaded = load(&sources.files, &compiled, &extras).map_err(load_error)?;
    Ok((loaded, compiled))
}

pub fn load_program(
    sources: &Sources,
    options: &CompileOptions,
    semantics: &SemanticOptions,
    expressions: Expressions,
    budget: &Budget,
) -> Result<Loaded, DriverError> {
    let (compiled, placed, extras) = front_end(sources, options, semantics, &expressions, budget)?;
    let kept = extras.kept.clone();
    let restricted = options.restrict_includes.is_some();
    let loaded = load(&sources.files, &compiled, &extras).map_err(|error| {
        let hint = diagnosis::hint(&error, sources, restricted);
        let error = load_error(error);
        hint.into_iter().fold(error, DriverError::hint)
    })?;
    let mut program = loaded.program;
    semantics.havoc.iter().try_for_each(|name| can_be_anything(name, &program, &loaded.undefined))?;
    if let Err(errors) = raddle_ir::verify::verify(&program) {
        let first = errors.first().map(|e| e.to_string()).unwrap_or_default();
        return Err(DriverError::internal(format!("the front end produced an ill-formed program: {first}")));
    }
    let named = semantics.abstraction.as_ref();
    if let Some(name) = named.filter(|name| !program.functions.iter().any(|f| !f.library && f.name == **name))
    {
        return Err(DriverError::usage(format!("--abstraction: the program has no function `{name}`")));
    }
    raddle_analysis::mark_visible(&mut program);
    let inputs = inputs_of(sources);
    let identity = ProgramIdentity {
        inputs,
        data_model: sources.data_model.unwrap_or(options.data_model).word().into(),
        optimize: options.optimize.word().into(),
        defines: options.defines.clone(),
        include_paths: options.include_paths.iter().map(|p| p.display().to_string()).collect(),
        standard: options.standard.clone(),
        clang_version: Some(version_text(&loaded.clang)),
        ir_fingerprint: fingerprint(&program),
    };
    let main_has_arguments = environment_assumptions::main_reads_arguments(&program);
    let allocates = program
        .functions
        .iter()
        .flat_map(|f| &f.code)
        .any(|i| matches!(i, Inst::Kernel { op: raddle_ir::KernelOp::Free, .. }));
    let marks_progress = program
        .functions
        .iter()
        .flat_map(|f| &f.code)
        .any(|i| matches!(i, Inst::Kernel { op: raddle_ir::KernelOp::Progress, .. }));
    let (fixed, left_out) = environment_assumptions::of_models(&program);
    let (invariants, propositions) = expressions.find(&program, placed.as_ref())?;
    Ok(Loaded {
        marks_progress,
        expressions,
        invariants,
        propositions,
        weak_order: weak_order(&program),
        main_has_arguments,
        argument_count: semantics.arguments.len() + 1,
        fixed,
        left_out,
        defined: loaded.defined,
        kept,
        allocates,
        program: Arc::new(program),
        identity,
        notes: sources.notes.iter().cloned().chain(loaded.notes).collect(),
        beyond: beyond(&loaded.assembler),
        readable: Readable {
            names: sources.names.clone(),
            folders: compiled.restriction.map(|restriction| restriction.folders),
        },
    })
}

/// `--havoc` is for functions that the sources use and do not define.
fn can_be_anything(name: &str, program: &Program, undefined: &[String]) -> Result<(), DriverError> {
    let own = |function: &&Function| function.name == name && function.has_body() && !function.library;
    if let Some(function) = program.functions.iter().find(own) {
        let place = function.places.first().copied().unwrap_or_default();
        let (file, line) = (program.file(place.file), place.line);
        return Err(DriverError::usage(format!(
            "--havoc {name}: `{name}` has a body, in {file} before line {line}"
        ))
        .hint("leave the option out, or the body"));
    }
    if undefined.iter().any(|other| other == name) {
        return Ok(());
    }
    let hint = match nearest(name, undefined.iter().map(|other| &other[..])) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a function that the sources call and do not define".to_string(),
    };
    Err(DriverError::usage(format!("--havoc {name}: nothing calls `{name}`")).hint(hint))
}

fn version_text(clang: &clang::Clang) -> String {
    let (major, minor, patch) = clang.version;
    format!("{major}.{minor}.{patch}")
}

/// Assembler outside functions can define, change and start anything.
fn beyond(assembler: &[(PathBuf, String)]) -> Option<String> {
    let (path, line) = assembler.first()?;
    let line: String = line.chars().take(60).collect();
    Some(format!("{} has file-scope inline assembly (`{line}`), which is not supported", path.display()))
}

fn inputs_of(sources: &Sources) -> Vec<InputFile> {
    sources
        .files
        .iter()
        .map(|path| InputFile {
            path: sources.names.get(path).cloned().unwrap_or_else(|| path.display().to_string()),
            flags: sources.flags.get(path).cloned().unwrap_or_default(),
            hash: ContentHash::of(&std::fs::read(path).unwrap_or_default()),
            generated: sources.generated.get(path).cloned(),
        })
        .collect()
}

/// A hash of the code that replay depends on: instructions and blocks, not names or places.
fn fingerprint(program: &Program) -> String {
    use std::fmt::Write;
    let mut hash = ContentHash::EMPTY;
    let mut text = String::new();
    for function in &program.functions {
        text.clear();
        let _ = write!(
            text,
            "{} {:?} {:?} {:?}",
            function.name, function.code, function.constants, function.blocks
        );
        hash = hash.extend(text.as_bytes());
    }
    for global in &program.globals {
        text.clear();
        let _ = write!(text, "{} {} {:?}", global.name, global.size, global.initializer);
        hash = hash.extend(text.as_bytes());
    }
    format!("{:032x}", hash.0)
}

/// The first access of the user's code with an order weaker than sequential consistency.
fn weak_order(program: &Program) -> Option<Place> {
    let weak =
        |order: MemoryOrder| !matches!(order, MemoryOrder::NotAtomic | MemoryOrder::SequentiallyConsistent);
    for function in program.functions.iter().filter(|f| !f.library) {
        for (inst, place) in function.code.iter().zip(&function.places) {
            let found = match inst {
                Inst::Load { access, .. } | Inst::Store { access, .. } | Inst::Update { access, .. } => {
                    weak(access.order)
                }
                Inst::CompareExchange { access, failure, .. } => weak(access.order) || weak(*failure),
                Inst::Fence { order } => weak(*order),
                Inst::Kernel { op: raddle_ir::KernelOp::Atomic, arguments, .. } => {
                    // Both orders of a compare-exchange come to one register.
                    !is_strong(function, arguments[3])
                }
                Inst::Call(call) => weak_call(program, function, call),
                _ => false,
            };
            if found {
                return Some(*place);
            }
        }
    }
    None
}

/// C's number of `memory_order_seq_cst`.
const SEQ_CST: u64 = 5;

/// Whether an order is always sequential consistency.
fn is_strong(function: &Function, order: Operand) -> bool {
    let strong = |operand: Operand| {
        operand.as_constant().is_some_and(|c| function.constants[c.index()] == Constant::Bits(SEQ_CST))
    };
    strong(order)
        || order.as_register().is_some_and(|register| {
            let mut writers = function.code.iter().filter(|inst| {
                let mut writes = false;
                inst.for_each_destination(|r| writes |= r == register);
                writes
            });
            writers.all(|inst| matches!(inst, Inst::Select { yes, no, .. } if strong(*yes) && strong(*no)))
        })
}

/// Whether a call of an atomic function of the library has, or may have, a weak order among its last arguments.
fn weak_call(program: &Program, function: &Function, call: &raddle_ir::Call) -> bool {
    let Callee::Direct(callee) = call.callee else { return false };
    let callee = program.function(callee);
    let name = callee.name.as_str();
    let atomic = name.starts_with("__atomic_") && !name.ends_with("is_lock_free")
        || name.starts_with("atomic_") && (name.ends_with("_explicit") || name.ends_with("_fence"));
    let orders = 1 + name.contains("compare_exchange") as usize;
    callee.library && atomic && call.arguments.iter().rev().take(orders).any(|o| !is_strong(function, *o))
}

pub fn load_error(error: LoadError) -> DriverError {
    match &error {
        LoadError::Compile(clang::CompileError::Stopped { .. })
        | LoadError::Library(LibraryError::Compile { error: clang::CompileError::Stopped { .. }, .. }) => {
            DriverError::new(DriverErrorKind::Stopped, error.to_string())
        }
        LoadError::Compile(clang::CompileError::Forbidden { .. }) => {
            DriverError::input(error.to_string()).hint("--restrict-includes=FOLDER names further ones")
        }
        LoadError::Compile(clang::CompileError::NoClang(_) | clang::CompileError::CannotRun { .. }) => {
            DriverError::input(error.to_string())
                .hint("install clang (14 to 22), or name it with --clang or RADDLE_CLANG")
        }
        // A compiler that is broken is no fault of the models.
        LoadError::Library(LibraryError::Compile {
            error: clang::CompileError::Flood { .. } | clang::CompileError::CannotRun { .. },
            ..
        }) => DriverError::input(error.to_string()),
        LoadError::Library(LibraryError::Folder { .. }) => DriverError::input(error.to_string()),
        LoadError::Library(_) => DriverError::internal(error.to_string()),
        _ => DriverError::input(error.to_string()),
    }
}

/// The machine for a program.
pub fn machine(program: &Arc<Program>, settings: Settings) -> Result<Machine, DriverError> {
    Machine::new(program.clone(), settings).map_err(too_large)
}

pub fn too_large(large: TooLarge) -> DriverError {
    DriverError::unsupported(format!(
        "the global `{}` has {} bytes; objects of up to 64 MiB are supported",
        large.global, large.size
    ))
}
