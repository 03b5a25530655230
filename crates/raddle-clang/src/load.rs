//! From input files to a program: compile, read, add the models, link.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use raddle_ir::{Function, Program};
use rustc_hash::FxHashMap;

use crate::annotations::{Annotation, MemberPlace, add_annotations, add_members};
use crate::compile::{
    Clang, CompileError, CompileOptions, DataModel, OptLevel, find_clang_within, to_llvm_text,
};
use crate::declarations::{Declaration, add_declarations};
use crate::library::{Library, LibraryError};
use crate::llvm::ast::Ordering;
use crate::llvm::{Module, ReadError, parse};
use crate::lower::{
    HAVOC_MODELS, LinkError, Origin, Surroundings, Unit, link_keeping, make_volatile_atomic,
    mark_signed_shifts, prototypes,
};
use crate::native::{UnitText, number_instructions};
use crate::signatures::Signature;

/// A program with what it was made from.
pub struct Loaded {
    pub program: Program,
    pub clang: Clang,
    /// Functions that the sources define, also those that `main` cannot reach.
    pub defined: usize,
    /// Functions that the sources use and do not define.
    pub undefined: Vec<String>,
    /// Things to say once: what the compiler only tolerated.
    pub notes: Vec<String>,
    /// Sources with assembler outside functions, whose effect is unknown, and its first line.
    pub assembler: Vec<(PathBuf, String)>,
    /// Of each source, if it was asked for.
    pub texts: Vec<UnitText>,
    /// Without a `main` ([`Extras::whole`]): the functions that the sources export.
    pub exported: Vec<String>,
    /// What the sources declare of their functions, variables and members (`raddle.h`).
    pub annotations: Vec<Annotation>,
    /// Where members of structures are declared, if it was asked for.
    pub members: Vec<MemberPlace>,
    /// What compilers took for the sources.
    pub compiling: std::time::Duration,
}

/// Why there is no program.
#[derive(Debug)]
pub enum LoadError {
    Compile(CompileError),
    Read { path: PathBuf, error: ReadError },
    Library(LibraryError),
    Link(LinkError),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            LoadError::Compile(error) => error.fmt(f),
            LoadError::Read { path, error } => write!(
                f,
                "{}:{}:{}: not readable as LLVM IR: {}",
                path.display(),
                error.line,
                error.column,
                error.message
            ),
            LoadError::Library(error) => error.fmt(f),
            LoadError::Link(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// What to load beside the sources.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// C files with models of the user's own primitives.
    pub models: Vec<PathBuf>,
    /// Functions without a body that return anything and write anything to what their arguments point to.
    pub havoc: Vec<String>,
    /// What is compiled in the place of some sources: the source and expressions of the user.
    pub stand_ins: Vec<StandIn>,
    /// Functions that are kept although nothing calls them.
    pub kept: Vec<String>,
    /// Arguments and environment of the program.
    pub surroundings: Surroundings,
    /// The order of volatile accesses in the sources, if they count as atomic.
    pub volatile: Option<Ordering>,
    /// The text of each source is kept, and source places are numbers of instructions (see [`crate::native`]).
    pub numbered: bool,
    /// All functions that the sources export are kept, and there may be no `main`: one is added that does nothing.
    pub whole: bool,
    /// The places of members of structures are wanted.
    pub members: bool,
}

/// A file that contains a source, to be compiled instead of it.
#[derive(Clone, Debug)]
pub struct StandIn {
    /// Which source.
    pub input: usize,
    pub path: PathBuf,
    /// What the source is called inside.
    pub called: String,
}

/// Says of the files of models that nothing of them is in the program.
fn unused_models(program: &Program, extras: &Extras, options: &CompileOptions) -> Vec<String> {
    let alone = extras.models.len() == 1;
    let is_of = |path: &Path, function: &Function| {
        alone || program.file(function.place.file) == crate::compile::called(path, options)
    };
    let is_used = |path: &&PathBuf| program.functions.iter().any(|f| f.added && is_of(path, f));
    let unused = extras.models.iter().filter(|path| !is_used(path));
    let note = |path: &PathBuf| {
        format!(
            "{}: the program calls none of its functions, so nothing of --models is used; a model has the name of a function \
             that the program calls and does not define",
            path.display()
        )
    };
    unused.map(note).collect()
}

/// Loads sources.
pub fn load(inputs: &[PathBuf], options: &CompileOptions, extras: &Extras) -> Result<Loaded, LoadError> {
    let mut options = options.clone();
    let clang = find_clang_within(options.clang.as_deref(), &options.limits).map_err(LoadError::Compile)?;
    options.clang = Some(clang.path.clone());
    let mut library =
        Library::open(&clang, options.data_model, &options.limits).map_err(LoadError::Library)?;
    options.system_includes.push(library.include_folder());
    let mut notes = Vec::new();
    let mut assembler = Vec::new();
    let mut units = Vec::new();
    let mut texts = Vec::new();
    let (mut annotations, mut members) = (Vec::new(), Vec::new());
    let mut compiling = std::time::Duration::ZERO;
    let sources = inputs.iter().map(|p| (p, Origin::Program));
    let stand_in = |input: usize| extras.stand_ins.iter().find(|s| s.input == input);
    let models = extras.models.iter().map(|p| (p, Origin::UserModel));
    for (position, (path, origin)) in sources.chain(models).enumerate() {
        let started = std::time::Instant::now();
        let text = match stand_in(position).filter(|_| origin == Origin::Program) {
            Some(other) => to_llvm_text(&other.path, &crate::expressions::options_for(other, path, &options)),
            None => to_llvm_text(path, &options),
        }
        .map_err(LoadError::Compile)?;
        compiling += started.elapsed();
        if let Some(complaint) = text.tolerated {
            notes.push(format!(
                "{}: compiled with errors downgraded that older compilers accepted: {}",
                path.display(),
                complaint.lines().find(|l| l.contains("error")).unwrap_or("").trim()
            ));
        }
        let mut module = parse(&text.bytes).map_err(|error| LoadError::Read { path: path.clone(), error })?;
        mark_signed_shifts(&mut module);
        if let Some(ordering) = extras.volatile.filter(|_| origin == Origin::Program) {
            make_volatile_atomic(&mut module, ordering);
        }
        if extras.numbered && origin == Origin::Program {
            number_instructions(&mut module, position);
            texts.push(unit_text(&module, path, text.bytes, &options));
        }
        crate::compile::rename(&mut module.source_filename, path, &options);
        if origin == Origin::Program {
            add_annotations(&module, &mut annotations);
            if extras.members {
                add_members(&module, &mut members);
            }
        }
        if let Some(line) = module.asm.first() {
            assembler.push((path.clone(), line.to_string()));
        }
        units.push(Unit { name: crate::compile::called(path, &options), module, origin });
    }
    // A `.ll` or `.bc` brings its own data model.
    if let Some(model) = units.first().and_then(|u| text_model(&u.module.triple))
        && model != options.data_model
    {
        options.data_model = model;
        library = Library::open(&clang, model, &options.limits).map_err(LoadError::Library)?;
    }
    let own = units.iter().filter(|u| matches!(u.origin, Origin::Program));
    let defined = own.flat_map(|u| &u.module.functions).filter(|f| !f.blocks.is_empty()).count();
    let undefined = undefined_functions(&units);
    let mut declared = FxHashMap::default();
    let mut more: &[&str] = &[];
    if !extras.havoc.is_empty() {
        more = &HAVOC_MODELS;
        for path in inputs {
            if let Some(module) = with_declarations(path, &options) {
                prototypes(&module, &extras.havoc, &mut declared);
            }
        }
    }
    let mut kept = extras.kept.clone();
    let mut exported = Vec::new();
    if extras.whole {
        kept.extend(exports(&units));
        if !kept.iter().any(|name| name == "main") {
            exported = exports(&units);
            units.extend(empty_main(&units));
        }
    }
    let models = library.units_for(&units, more).map_err(LoadError::Library)?;
    units.extend(models);
    let mut program = link_keeping(&units, &extras.havoc, declared, &kept, &extras.surroundings)
        .map_err(LoadError::Link)?;
    notes.extend(unused_models(&program, extras, &options));
    for other in &extras.stand_ins {
        for file in program.files.iter_mut().filter(|file| **file == other.called) {
            *file = crate::compile::called(&inputs[other.input], &options);
        }
    }
    Ok(Loaded {
        program,
        clang,
        defined,
        undefined,
        notes,
        assembler,
        texts,
        exported,
        annotations,
        members,
        compiling,
    })
}

/// What some source declares and uses, and none defines.
fn undefined_functions(units: &[Unit]) -> Vec<String> {
    let of_sources = || units.iter().filter(|unit| matches!(unit.origin, Origin::Program));
    let functions = || of_sources().flat_map(|unit| unit.module.functions.iter().map(move |f| (unit, f)));
    let name =
        |(unit, function): (&Unit, &crate::llvm::ast::Function)| unit.module.text(function.name).to_string();
    let defined: BTreeSet<String> = functions().filter(|(_, f)| !f.blocks.is_empty()).map(name).collect();
    let used: BTreeSet<String> = functions().filter(|(_, f)| f.blocks.is_empty()).map(name).collect();
    used.into_iter().filter(|name| !name.starts_with("llvm.") && !defined.contains(name)).collect()
}

fn unit_text(module: &Module, path: &Path, bytes: Vec<u8>, options: &CompileOptions) -> UnitText {
    let defined = module.functions.iter().filter(|f| !f.is_declaration());
    UnitText {
        name: crate::compile::called(path, options),
        bytes,
        defined: defined.map(|f| module.text(f.name).to_string()).collect(),
        triple: module.triple.to_string(),
    }
}

/// The functions that the sources export.
fn exports(units: &[Unit]) -> Vec<String> {
    let own = units.iter().filter(|unit| unit.origin == Origin::Program);
    let functions = own.flat_map(|unit| unit.module.functions.iter().map(|f| (&unit.module, f)));
    let exported = functions.filter(|(_, f)| !f.blocks.is_empty() && !f.linkage.is_local());
    exported.map(|(module, f)| module.text(f.name).to_string()).collect()
}

/// A unit with a `main` that does nothing, for the target of the others.
fn empty_main(units: &[Unit]) -> Option<Unit> {
    let first = &units.first()?.module;
    let text = format!(
        "target datalayout = \"{}\"\ntarget triple = \"{}\"\n\ndefine i32 @main() {{\n  ret i32 0\n}}\n",
        first.datalayout, first.triple
    );
    let module = parse(text.as_bytes()).ok()?;
    Some(Unit { name: "a main that does nothing".into(), module, origin: Origin::Program })
}

/// A source with the declarations of functions without a body: clang describes them in optimised code only, so the source is
/// compiled for them, without being optimised. What does not compile so is not described.
fn with_declarations(path: &Path, options: &CompileOptions) -> Option<Module> {
    let mut options = CompileOptions { optimize: OptLevel::O1, ..options.clone() };
    options.extra_flags.extend(["-Xclang", "-disable-llvm-passes"].map(Into::into));
    let text = to_llvm_text(path, &options).ok()?;
    parse(&text.bytes).ok()
}

/// The functions that a source defines.
pub fn signatures(input: &Path, options: &CompileOptions) -> Result<BTreeMap<String, Signature>, LoadError> {
    let mut options = options.clone();
    let clang = find_clang_within(options.clang.as_deref(), &options.limits).map_err(LoadError::Compile)?;
    options.clang = Some(clang.path.clone());
    let library = Library::open(&clang, options.data_model, &options.limits).map_err(LoadError::Library)?;
    options.system_includes.push(library.include_folder());
    // Static functions that nothing calls, too.
    options.extra_flags.push("-femit-all-decls".into());
    let text = to_llvm_text(input, &options).map_err(LoadError::Compile)?;
    let module = parse(&text.bytes).map_err(|error| LoadError::Read { path: input.into(), error })?;
    Ok(crate::signatures::signatures(&module))
}

/// How sources declare these functions.
pub fn declarations(
    inputs: &[PathBuf],
    options: &CompileOptions,
    names: &[String],
) -> Result<BTreeMap<String, Declaration>, LoadError> {
    let mut options = options.clone();
    let clang = find_clang_within(options.clang.as_deref(), &options.limits).map_err(LoadError::Compile)?;
    options.clang = Some(clang.path.clone());
    let library = Library::open(&clang, options.data_model, &options.limits).map_err(LoadError::Library)?;
    options.system_includes.push(library.include_folder());
    let mut found = BTreeMap::new();
    for path in inputs {
        if let Some(module) = with_declarations(path, &options) {
            add_declarations(&module, names, &mut found);
        }
    }
    Ok(found)
}

fn text_model(triple: &str) -> Option<DataModel> {
    match triple.split('-').next()? {
        "x86_64" | "amd64" => Some(DataModel::Lp64),
        "i386" | "i486" | "i586" | "i686" => Some(DataModel::Ilp32),
        _ => None,
    }
}

/// Whether a path is something `load` understands.
pub fn is_input(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "i" | "ll" | "bc"))
}
