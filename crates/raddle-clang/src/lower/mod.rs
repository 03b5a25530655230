//! From modules to the program model: linking and lowering.
//!
//! Linking is done here: names of static functions stay apart, two strong definitions of one name are an error that
//! names both files, the user's definition wins over a library model's. Only what can be reached from `main` is
//! lowered (functions whose address is taken included), so unused models cost nothing.
//!
//! Lowering takes aggregates, vectors and wide integers apart into registers, turns local variables whose address is
//! never taken into registers of their own name, and phi nodes into copies on edges.

mod assembler;
mod atomics;
mod calls;
mod constants;
mod debug;
mod declarations;
mod function;
mod havoc;
mod instructions;
mod intrinsics;
mod memory;
mod promote;
mod scalars;
mod shift_checks;
mod surroundings;
mod vectors;
mod volatile;

use std::fmt;

use raddle_ir as ir;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{self, GlobalRef, Linkage, Symbol};
use crate::llvm::{Layout, Module};
use debug::DebugNames;
pub(crate) use havoc::MODELS as HAVOC_MODELS;
pub use havoc::{Pointee, Prototype, prototypes};
pub use shift_checks::mark_signed_shifts;
pub use surroundings::Surroundings;
pub use volatile::make_volatile_atomic;

/// A module with its name (the source file) and what it is.
pub struct Unit {
    pub name: String,
    pub module: Module,
    pub origin: Origin,
}

/// Where a unit comes from; a definition of a higher origin replaces one of a lower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Raddle's library models.
    Library,
    /// Models of the user's own primitives: shown folded, as library models are.
    UserModel,
    Program,
}

impl Unit {
    /// Shown as one call of a library function.
    pub fn is_library(&self) -> bool {
        self.origin != Origin::Program
    }
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    NoMain,
    /// Two sources define one name.
    Twice {
        name: String,
        first: String,
        second: String,
    },
    /// Modules for different machines.
    DataModel {
        first: String,
        second: String,
    },
    /// A variable whose size is not known.
    Unsized {
        unit: String,
        name: String,
    },
    /// The data layout is not that of the target.
    Layout {
        unit: String,
        layout: String,
    },
    /// A model declares what is not known.
    Declaration {
        unit: String,
        function: String,
        words: String,
    },
    /// Not a 32-bit or 64-bit x86 target.
    Target {
        unit: String,
        triple: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LinkError::NoMain => {
                write!(f, "no function `main` in the inputs")
            }
            LinkError::Twice { name, first, second } => {
                write!(f, "`{name}` is defined in {first} and again in {second}")
            }
            LinkError::DataModel { first, second } => {
                write!(f, "{first} and {second} were compiled for different data models (ILP32 and LP64)")
            }
            LinkError::Unsized { unit, name } => {
                write!(f, "the variable `{name}` of {unit} has a type without size")
            }
            LinkError::Layout { unit, layout } => {
                write!(f, "the data layout of {unit}, `{layout}`, is not that of its target")
            }
            LinkError::Declaration { unit, function, words } => {
                write!(
                    f,
                    "{unit}: the model `{function}` has the unknown declaration `{words}`; see models/kernel.h"
                )
            }
            LinkError::Target { unit, triple } => {
                write!(f, "{unit} was compiled for `{triple}`; only i386 and x86_64 are supported")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// What a global name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Function(ir::FunctionId),
    Global(ir::GlobalId, i64),
}

pub(crate) struct Linker<'a> {
    pub units: &'a [Unit],
    pub layouts: Vec<Layout>,
    pub program: ir::Program,
    /// The definition of each name that other modules see.
    exports: FxHashMap<&'a str, (usize, GlobalRef)>,
    functions: FxHashMap<(usize, u32), ir::FunctionId>,
    globals: FxHashMap<(usize, u32), ir::GlobalId>,
    /// Names without a definition.
    missing_functions: FxHashMap<String, ir::FunctionId>,
    missing_globals: FxHashMap<String, ir::GlobalId>,
    function_queue: Vec<(ir::FunctionId, usize, u32)>,
    global_queue: Vec<(ir::GlobalId, usize, u32)>,
    pub debug: Vec<DebugNames>,
    pub file_ids: FxHashMap<String, ir::FileId>,
    pub scalar_cache: FxHashMap<(usize, ast::TypeId), scalars::Flat>,
    pub havoc: FxHashSet<String>,
    surroundings: Surroundings,
    /// Where its environment is, if it has one.
    envp: Option<ir::GlobalId>,
    /// What is known of the declarations of these functions.
    pub prototypes: FxHashMap<String, Prototype>,
    /// What models declare.
    pub declarations: declarations::Declarations,
    /// Aliases of aliases being resolved: a cycle of them has no address.
    alias_depth: u32,
    defined: FxHashSet<ir::FunctionId>,
    /// What defined functions return; a caller's declaration may say something else.
    result_types: FxHashMap<ir::FunctionId, Vec<ir::RegisterType>>,
}

/// Links units into a program that starts at `main`. A function of `havoc` that has no body returns anything and writes
/// anything to what its arguments point to.
pub fn link(units: &[Unit], havoc: &[String]) -> Result<ir::Program, LinkError> {
    link_keeping(units, havoc, FxHashMap::default(), &[], &Surroundings::default())
}

/// The same, with functions that nothing calls; those that no unit defines are left out. They come last, so that all
/// others have the numbers that they have without them.
pub fn link_keeping(
    units: &[Unit],
    havoc: &[String],
    prototypes: FxHashMap<String, Prototype>,
    kept: &[String],
    surroundings: &Surroundings,
) -> Result<ir::Program, LinkError> {
    let mut linker = Linker::new(units)?;
    linker.prototypes = prototypes;
    linker.surroundings = surroundings.clone();
    linker.havoc = havoc.iter().cloned().collect();
    linker.collect_exports()?;
    linker.make_entry()?;
    linker.drain();
    for name in kept {
        if let Some((unit, GlobalRef::Function(index))) = linker.exports.get(name.as_str()).copied() {
            linker.function_id(unit, index);
        }
    }
    linker.drain();
    linker.set_environment();
    linker.set_given_files();
    declarations::disable_inactive(&mut linker.program);
    // Only damaged debug information has such types; they are for showing, so they may be lost.
    while let Some(id) = ir::CType::endless(&linker.program.ctypes) {
        linker.program.ctypes[id.index()] = ir::CType::Opaque { name: String::new(), size: 0 };
    }
    Ok(linker.program)
}

fn data_model(unit: &Unit) -> Result<ir::DataModel, LinkError> {
    let triple = &*unit.module.triple;
    let machine = triple.split('-').next().unwrap_or("");
    match machine {
        // A hand-written module without a triple counts as 64-bit.
        "x86_64" | "amd64" | "" => Ok(ir::DataModel::Lp64),
        "i386" | "i486" | "i586" | "i686" => Ok(ir::DataModel::Ilp32),
        _ => Err(LinkError::Target { unit: unit.name.clone(), triple: triple.to_string() }),
    }
}

impl<'a> Linker<'a> {
    fn new(units: &'a [Unit]) -> Result<Self, LinkError> {
        let mut model = ir::DataModel::Lp64;
        for (i, unit) in units.iter().enumerate() {
            let this = data_model(unit)?;
            if i > 0 && this != model {
                let (first, second) = (units[0].name.clone(), unit.name.clone());
                return Err(LinkError::DataModel { first, second });
            }
            model = this;
        }
        let layouts: Vec<Layout> = units.iter().map(|u| Layout::new(&u.module)).collect();
        for (unit, layout) in units.iter().zip(&layouts) {
            if layout.pointer_size != model.pointer_bytes() as u64 || layout.big_endian {
                let (unit, layout) = (unit.name.clone(), unit.module.datalayout.to_string());
                return Err(LinkError::Layout { unit, layout });
            }
        }
        Ok(Linker {
            layouts,
            debug: units.iter().map(|_| DebugNames::default()).collect(),
            units,
            program: ir::Program {
                data_model: model,
                functions: Vec::new(),
                globals: Vec::new(),
                ctypes: Vec::new(),
                files: vec!["<unknown>".to_string()],
                entry: ir::FunctionId(0),
                main_tcb: None,
            },
            exports: FxHashMap::default(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            missing_functions: FxHashMap::default(),
            missing_globals: FxHashMap::default(),
            function_queue: Vec::new(),
            global_queue: Vec::new(),
            file_ids: FxHashMap::default(),
            scalar_cache: FxHashMap::default(),
            havoc: FxHashSet::default(),
            surroundings: Surroundings::default(),
            envp: None,
            prototypes: FxHashMap::default(),
            declarations: declarations::declarations(units)?,
            alias_depth: 0,
            defined: FxHashSet::default(),
            result_types: FxHashMap::default(),
        })
    }

    pub fn module(&self, unit: usize) -> &'a Module {
        &self.units[unit].module
    }

    fn linkage(&self, unit: usize, reference: GlobalRef) -> Linkage {
        let module = self.module(unit);
        match reference {
            GlobalRef::Function(i) => module.functions[i as usize].linkage,
            GlobalRef::Variable(i) => module.variables[i as usize].linkage,
            GlobalRef::Alias(i) => module.aliases[i as usize].linkage,
        }
    }

    fn is_definition(&self, unit: usize, reference: GlobalRef) -> bool {
        let module = self.module(unit);
        match reference {
            GlobalRef::Function(i) => !module.functions[i as usize].is_declaration(),
            GlobalRef::Variable(i) => module.variables[i as usize].initializer.is_some(),
            GlobalRef::Alias(_) => true,
        }
    }

    fn collect_exports(&mut self) -> Result<(), LinkError> {
        let strong = |l: Linkage| matches!(l, Linkage::External | Linkage::Appending);
        for (unit, data) in self.units.iter().enumerate() {
            // In the order of the tables, so that errors and choices do not depend on hashing.
            let module = &data.module;
            let functions = (0..module.functions.len())
                .map(|i| (module.functions[i].name, GlobalRef::Function(i as u32)));
            let variables = (0..module.variables.len())
                .map(|i| (module.variables[i].name, GlobalRef::Variable(i as u32)));
            let aliases =
                (0..module.aliases.len()).map(|i| (module.aliases[i].name, GlobalRef::Alias(i as u32)));
            for (name, reference) in functions.chain(variables).chain(aliases) {
                let linkage = self.linkage(unit, reference);
                let text = module.text(name);
                if let GlobalRef::Variable(index) = reference
                    && self.is_definition(unit, reference)
                    && self.layouts[unit].size(module.variables[index as usize].ty).is_none()
                {
                    return Err(LinkError::Unsized { unit: data.name.clone(), name: text.to_string() });
                }
                if linkage.is_local() || !self.is_definition(unit, reference) || text.starts_with("llvm.") {
                    continue;
                }
                match self.exports.get(text).copied() {
                    None => {
                        self.exports.insert(text, (unit, reference));
                    }
                    Some((other, _)) if self.units[other].origin != data.origin => {
                        if data.origin > self.units[other].origin {
                            self.exports.insert(text, (unit, reference));
                        }
                    }
                    Some((other, earlier)) => {
                        let was = self.linkage(other, earlier);
                        if strong(was) && strong(linkage) {
                            return Err(LinkError::Twice {
                                name: text.to_string(),
                                first: self.units[other].name.clone(),
                                second: data.name.clone(),
                            });
                        }
                        if strong(linkage) || (was == Linkage::AvailableExternally) {
                            self.exports.insert(text, (unit, reference));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What a name means inside a unit.
    pub fn resolve(&mut self, unit: usize, symbol: Symbol) -> Target {
        let module = self.module(unit);
        let text = module.text(symbol);
        let own = module.globals.get(&symbol).copied();
        let (unit, reference) = match own {
            Some(reference) if self.linkage(unit, reference).is_local() => (unit, reference),
            _ => match self.exports.get(text) {
                Some(found) => *found,
                None => return self.missing(unit, symbol, own),
            },
        };
        match reference {
            GlobalRef::Function(index) => Target::Function(self.function_id(unit, index)),
            GlobalRef::Variable(index) => Target::Global(self.global_id(unit, index), 0),
            GlobalRef::Alias(index) => {
                let alias = &self.module(unit).aliases[index as usize];
                if alias.ifunc || self.alias_depth > 50 {
                    return self.missing(unit, symbol, None);
                }
                self.alias_depth += 1;
                let target = self.address_of_constant(unit, alias.target);
                self.alias_depth -= 1;
                target.unwrap_or_else(|| self.missing(unit, symbol, None))
            }
        }
    }

    /// A weak name that no unit defines is null; unless another unit needs it, which then lacks a definition.
    pub fn is_null(&self, unit: usize, symbol: Symbol) -> bool {
        let own = self.module(unit).globals.get(&symbol);
        if !own.is_some_and(|own| self.linkage(unit, *own) == Linkage::ExternWeak) {
            return false;
        }
        let text = self.module(unit).text(symbol);
        let needed = |other: usize| {
            let module = self.module(other);
            let found = module.names.find(text).and_then(|name| module.globals.get(&name));
            found.is_some_and(|r| self.linkage(other, *r) != Linkage::ExternWeak)
        };
        !self.exports.contains_key(text)
            && !self.havoc.contains(text)
            && !(0..self.units.len()).filter(|other| *other != unit).any(needed)
    }

    fn missing(&mut self, unit: usize, symbol: Symbol, own: Option<GlobalRef>) -> Target {
        let module = self.module(unit);
        let name = module.text(symbol).to_string();
        match own {
            Some(GlobalRef::Variable(index)) => {
                if let Some(id) = self.missing_globals.get(&name) {
                    return Target::Global(*id, 0);
                }
                let variable = &module.variables[index as usize];
                let size = self.layouts[unit].size(variable.ty).unwrap_or(0);
                let id = ir::GlobalId::new(self.program.globals.len());
                self.program.globals.push(ir::Global {
                    name: name.clone(),
                    size,
                    align: 16,
                    initializer: ir::Initializer::default(),
                    thread_local: variable.thread_local,
                    constant: false,
                    external: true,
                    ty: None,
                    place: ir::Place::default(),
                    library: false,
                });
                self.missing_globals.insert(name, id);
                Target::Global(id, 0)
            }
            _ => {
                if let Some(id) = self.missing_functions.get(&name) {
                    return Target::Function(*id);
                }
                let id = ir::FunctionId::new(self.program.functions.len());
                self.program.functions.push(ir::Function { name: name.clone(), ..Default::default() });
                self.missing_functions.insert(name, id);
                Target::Function(id)
            }
        }
    }

    /// Whether some unit defines the function.
    pub fn is_defined(&self, function: ir::FunctionId) -> bool {
        self.defined.contains(&function)
    }

    /// The types of a defined function's results.
    pub fn results_of(&self, function: ir::FunctionId) -> &[ir::RegisterType] {
        self.result_types.get(&function).map_or(&[], |types| types)
    }

    fn function_id(&mut self, unit: usize, index: u32) -> ir::FunctionId {
        if let Some(id) = self.functions.get(&(unit, index)) {
            return *id;
        }
        let id = ir::FunctionId::new(self.program.functions.len());
        self.functions.insert((unit, index), id);
        self.defined.insert(id);
        // The face first, so that callers of a function not yet lowered know it.
        let face = self.function_face(unit, index);
        self.program.functions.push(face);
        let returns = self.module(unit).functions[index as usize].returns;
        let types = self.flatten(unit, returns).map(|parts| parts.iter().map(|p| p.ty).collect());
        self.result_types.insert(id, types.unwrap_or_default());
        self.function_queue.push((id, unit, index));
        id
    }

    fn global_id(&mut self, unit: usize, index: u32) -> ir::GlobalId {
        if let Some(id) = self.globals.get(&(unit, index)) {
            return *id;
        }
        let module = self.module(unit);
        let variable = &module.variables[index as usize];
        let id = ir::GlobalId::new(self.program.globals.len());
        let (name, ty, place) = self.global_debug(unit, variable);
        self.program.globals.push(ir::Global {
            name,
            size: self.layouts[unit].size(variable.ty).unwrap_or(0),
            align: variable.align.unwrap_or(1),
            initializer: ir::Initializer::default(),
            thread_local: variable.thread_local,
            constant: variable.constant,
            external: false,
            ty,
            place,
            library: self.units[unit].is_library(),
        });
        self.globals.insert((unit, index), id);
        self.global_queue.push((id, unit, index));
        id
    }

    /// Lowers everything that is needed, until nothing new is.
    fn drain(&mut self) {
        loop {
            if let Some((id, unit, index)) = self.function_queue.pop() {
                let function = function::lower(self, unit, index);
                self.program.functions[id.index()] = function;
            } else if let Some((id, unit, index)) = self.global_queue.pop() {
                let variable = &self.module(unit).variables[index as usize];
                if let Some(constant) = variable.initializer {
                    let initializer = self.initializer(unit, constant);
                    self.program.globals[id.index()].initializer = initializer;
                }
            } else {
                break;
            }
        }
    }

    /// The first function: destructors are registered, then constructors, `main`, `exit` with its result.
    fn make_entry(&mut self) -> Result<(), LinkError> {
        let id = ir::FunctionId::new(self.program.functions.len());
        self.program
            .functions
            .push(ir::Function { name: "start of the program".into(), ..Default::default() });
        self.program.entry = id;
        let main = match self.exports.get("main").copied() {
            Some((unit, GlobalRef::Function(index))) if self.units[unit].origin == Origin::Program => {
                (unit, index)
            }
            _ => return Err(LinkError::NoMain),
        };
        if let Some((unit, GlobalRef::Variable(index))) = self.exports.get("__raddle_main_tcb").copied() {
            self.program.main_tcb = Some(self.global_id(unit, index));
        }
        let constructors = self.startup_functions("llvm.global_ctors");
        let destructors = self.startup_functions("llvm.global_dtors");
        let register_destructor = match self.exports.get("raddle_at_exit").copied() {
            Some((unit, GlobalRef::Function(index))) if !destructors.is_empty() => {
                Some(self.function_id(unit, index))
            }
            _ => None,
        };
        let main_id = self.function_id(main.0, main.1);
        let mut entry = ir::Function {
            name: "start of the program".into(),
            library: true,
            place: self.program.functions[main_id.index()].place,
            ..Default::default()
        };
        let face = &self.program.functions[main_id.index()];
        let place = face.place;
        let (parameters, results) = (face.parameters.len(), face.results);
        let mut emit = |inst| {
            entry.code.push(inst);
            entry.places.push(place);
        };
        let call = |callee, arguments, results| {
            let callee = ir::Callee::Direct(callee);
            ir::Inst::Call(Box::new(ir::Call {
                callee,
                arguments,
                variadic: Vec::new(),
                results,
                guarded: false,
            }))
        };
        let mut constants = vec![ir::Constant::Bits(0)];
        let mut arguments = Vec::new();
        // argc, argv, envp.
        if parameters > 0 {
            let argv = self.program_arguments();
            let count = self.surroundings.arguments.len() as u64 + 1;
            constants.extend([ir::Constant::Bits(count), ir::Constant::Global(argv, 0)]);
            let word = self.program.data_model.pointer_bytes() as i64;
            self.envp = if parameters > 2 { self.environment() } else { None };
            constants.push(match self.envp {
                Some(envp) => ir::Constant::Global(envp, 0),
                None => ir::Constant::Global(argv, count as i64 * word),
            });
            for i in 0..parameters {
                let constant = if i < 3 { i as u32 + 1 } else { 0 };
                arguments.push(ir::Operand::constant(ir::ConstantId(constant)));
            }
        }
        // Exit handlers run in the reverse order of their registration; the destructor of the lowest priority comes
        // last.
        for destructor in destructors {
            let id = ir::ConstantId(constants.len() as u32);
            constants.push(ir::Constant::Function(destructor));
            match register_destructor {
                Some(register) => emit(call(register, vec![ir::Operand::constant(id)], Vec::new())),
                None => {
                    emit(ir::Inst::Unsupported { reason: "a destructor, without the model of `exit`".into() })
                }
            }
        }
        for constructor in constructors {
            emit(call(constructor, Vec::new(), Vec::new()));
        }
        let register = ir::Register(0);
        let answer = if results == 1 { vec![register] } else { Vec::new() };
        emit(call(main_id, arguments, answer));
        let code = if results == 1 { register.into() } else { ir::Operand::constant(ir::ConstantId(0)) };
        if let Some((unit, GlobalRef::Function(index))) = self.exports.get("exit").copied() {
            let exit = self.function_id(unit, index);
            emit(call(exit, vec![code], Vec::new()));
        } else {
            let arguments = Box::new([code, ir::Operand::constant(ir::ConstantId(0))]);
            emit(ir::Inst::Kernel { op: ir::KernelOp::ProcessExit, destination: None, arguments });
        }
        emit(ir::Inst::Unreachable);
        entry.constants = constants;
        entry.registers = vec![ir::RegisterInfo { ty: ir::RegisterType::Int(32), local: None }];
        entry.blocks = vec![ir::Block { start: 0, end: entry.code.len() as u32 }];
        self.program.functions[id.index()] = entry;
        Ok(())
    }

    /// Functions of `llvm.global_ctors` or `llvm.global_dtors`, by priority.
    fn startup_functions(&mut self, list: &str) -> Vec<ir::FunctionId> {
        let mut found = Vec::new();
        for unit in 0..self.units.len() {
            let module = self.module(unit);
            let Some(variable) = module.variable(list) else { continue };
            let Some(list) = variable.initializer else { continue };
            let ast::ConstKind::Aggregate(items) = &module.constant(list).kind else { continue };
            for item in items.iter() {
                let ast::ConstKind::Aggregate(fields) = &module.constant(*item).kind else { continue };
                let priority = match fields.first().map(|f| &module.constant(*f).kind) {
                    Some(ast::ConstKind::Int(p)) => *p,
                    _ => 65535,
                };
                if let Some(Target::Function(function)) =
                    fields.get(1).and_then(|f| self.address_of_constant(unit, *f))
                {
                    found.push((priority, function));
                }
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, function)| function).collect()
    }
}
