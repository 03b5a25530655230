//! The verifier: what a program must be for the machine and the engines to read it without asking. This header is the
//! specification; each rule has a broken program in `tests/verify.rs`.
//!
//! Program. Every id is in range. The entry function has a body, no parameters, and is not variadic. C types contain
//! each other by value (array, member, typedef, qualifier) without cycles; pointers may go in circles. A place names a
//! file of the table, or file 0, or has line 0.
//!
//! Globals. The alignment is a power of two. Initial bytes fit the size. Relocations lie inside, by ascending offset,
//! and do not overlap. Undefined ranges are not empty, lie inside, ascend and do not overlap. An external global has no
//! initializer.
//!
//! Functions. Parameters are distinct registers. There are at most 65535 results. There are fewer than 2^31 registers and constants. Integer registers
//! have 1 to 64 bits. `places` is as long as `code`. The blocks partition the code in order; none is empty; each ends
//! in a terminator and has no other one. A function without blocks has no code. A register may be read before it is
//! written: it is indeterminate then.
//!
//! Instructions.
//!
//! 1. Widths of integers are 1 to 64; of wide ones 65 to 65535. The limbs of a wide value are integer registers in range;
//!    those that are written have 64 bits, the last one at least those that remain.
//! 2. An integer of n bits may be read from an integer register of *at most* n bits and written to one of *at least* n:
//!    registers are zero-extended, so both keep the value. A constant fits n bits. A pointer constant (the address of
//!    a global, function or block) may be read as an integer of at least a pointer's width, as in an initializer that
//!    casts it.
//! 3. A float, double or pointer is read from and written to registers of just that type; as constants, a float fits
//!    32 bits, a pointer may be any number, and `undef` may be anything.
//! 4. `copy`, `select` and `freeze` move between registers of one type, from integers to integers not narrower, between
//!    pointers and integers of 64 bits either way (parts of aggregates and unions are moved so), and between floats and
//!    integers of their size (the same bits).
//! 5. The types of arguments, returned values and call results are *not* compared with the callee's: C programs call
//!    through other types than they define, and the machine moves registers. Nor are those of kernel operations, of
//!    `stack_save` and `stack_restore`.
//! 6. Casts: truncation narrows, extensions widen. Pointers are compared at 64 bits.
//! 7. Accesses: an alignment of at most 2^32; loads do not release, stores do not acquire, updates and
//!    compare-exchanges are atomic (not `unordered`), a failure order does not release; a fence acquires or releases.
//!    Arithmetic updates are of integers, `f*` ones of floats; anything can be exchanged or compared and exchanged but
//!    that the latter takes no floats.
//! 8. Registers that one instruction writes are distinct.
//! 9. A direct call passes exactly as many fixed arguments as the callee has parameters (the front end makes other
//!    calls unsupported steps); more only as variadic ones, and these only if the callee is variadic. It takes at most
//!    as many results as the callee gives. Indirect calls are checked when they are executed.
//! 10. A kernel operation has its number of arguments, and a result only if it gives one.
//! 11. Cases of a switch ascend; the value is an integer and each case fits it. An indirect jump has a target.
//! 12. A return gives exactly as many values as the function's results.

mod instructions;

use crate::ctype::CType;
use crate::ids::*;
use crate::program::*;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// `None`: of the program's other tables.
    pub function: Option<FunctionId>,
    /// Index into the function's code.
    pub instruction: Option<u32>,
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if let Some(function) = self.function {
            write!(f, "{function}: ")?;
        }
        if let Some(instruction) = self.instruction {
            write!(f, "instruction {instruction}: ")?;
        }
        f.write_str(&self.message)
    }
}
impl std::error::Error for VerifyError {}

/// All broken rules of a program; see the header of this module.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let mut verifier = Verifier { program, errors: Vec::new(), function: None, instruction: None };
    verifier.program();
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

struct Verifier<'a> {
    program: &'a Program,
    errors: Vec<VerifyError>,
    /// Where the verifier is.
    function: Option<FunctionId>,
    instruction: Option<u32>,
}

impl<'a> Verifier<'a> {
    fn error(&mut self, message: impl Into<String>) {
        let (function, instruction) = (self.function, self.instruction);
        self.errors.push(VerifyError { function, instruction, message: message.into() });
    }
    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.error(message());
        }
    }
    fn in_range(&mut self, index: usize, length: usize, name: impl std::fmt::Display) -> bool {
        self.require(index < length, || format!("there is no {name}: the table has {length} rows"));
        index < length
    }
    fn function_in_range(&mut self, id: FunctionId) -> bool {
        self.in_range(id.index(), self.program.functions.len(), id)
    }
    fn global_in_range(&mut self, id: GlobalId) -> bool {
        self.in_range(id.index(), self.program.globals.len(), id)
    }
    fn ctype_in_range(&mut self, id: CTypeId) -> bool {
        self.in_range(id.index(), self.program.ctypes.len(), id)
    }
    fn place(&mut self, place: Place) {
        let known = place.file.index() < self.program.files.len() || place.file.0 == 0 || place.line == 0;
        self.require(known, || format!("a place names {}, which does not exist", place.file));
    }

    fn program(&mut self) {
        let program = self.program;
        if self.function_in_range(program.entry) {
            let entry = program.function(program.entry);
            self.require(entry.has_body(), || format!("the entry function {} has no body", program.entry));
            self.require(entry.parameters.is_empty() && !entry.variadic, || {
                format!("the entry function {} has parameters", program.entry)
            });
        }
        if let Some(tcb) = program.main_tcb {
            self.global_in_range(tcb);
        }
        self.ctypes();
        for (index, global) in program.globals.iter().enumerate() {
            let before = self.errors.len();
            self.global(global);
            for error in &mut self.errors[before..] {
                error.message = format!("{} `{}`: {}", GlobalId::new(index), global.name, error.message);
            }
        }
        for (index, function) in program.functions.iter().enumerate() {
            self.function = Some(FunctionId::new(index));
            self.function(function);
            self.function = None;
        }
    }

    fn ctypes(&mut self) {
        let types = &self.program.ctypes;
        let errors = self.errors.len();
        for ty in types {
            ty.for_each_contained(|id| {
                self.ctype_in_range(id);
            });
            if let CType::Pointer(id) = ty {
                self.ctype_in_range(*id);
            }
        }
        if self.errors.len() > errors {
            return;
        }
        if let Some(id) = CType::endless(types) {
            self.error(format!("{id} contains itself"));
        }
    }

    fn global(&mut self, global: &Global) {
        self.place(global.place);
        self.require(global.align.is_power_of_two(), || {
            format!("an alignment of {} is not a power of two", global.align)
        });
        if let Some(ty) = global.ty {
            self.ctype_in_range(ty);
        }
        let Initializer { bytes, relocations, undefined } = &global.initializer;
        let empty = bytes.is_empty() && relocations.is_empty() && undefined.is_empty();
        self.require(empty || !global.external, || "it is external and has an initializer".into());
        self.require(bytes.len() as u64 <= global.size, || {
            format!("{} initial bytes in an object of {}", bytes.len(), global.size)
        });
        let mut free = 0;
        for relocation in relocations {
            let end = relocation.offset.saturating_add(self.program.data_model.pointer_bytes() as u64);
            self.require(relocation.offset >= free, || {
                format!("the relocation at {} overlaps or precedes the one before", relocation.offset)
            });
            self.require(end <= global.size, || {
                format!("the relocation at {} lies outside", relocation.offset)
            });
            free = end;
            match relocation.target {
                SymbolTarget::Global(id) => {
                    self.global_in_range(id);
                }
                SymbolTarget::Function(id) => {
                    self.function_in_range(id);
                }
                SymbolTarget::Block(id, block) => {
                    if self.function_in_range(id) {
                        self.in_range(block.index(), self.program.function(id).blocks.len(), block);
                    }
                }
            }
        }
        let mut free = 0;
        for (start, end) in undefined {
            let (start, end) = (*start, *end);
            self.require(start < end, || format!("the undefined range {start} to {end} is empty"));
            self.require(start >= free, || {
                format!("the undefined range {start} to {end} overlaps or precedes the one before")
            });
            self.require(end <= global.size, || format!("the undefined range {start} to {end} lies outside"));
            free = end;
        }
    }

    fn function(&mut self, function: &'a Function) {
        let registers = function.registers.len();
        self.place(function.place);
        for (table, length) in [("registers", registers), ("constants", function.constants.len())] {
            self.require(length < 1 << 31, || format!("{length} {table}: there must be fewer than 2^31"));
        }
        self.require(function.results < 1 << 16, || {
            format!("{} results: there must be fewer than 2^16", function.results)
        });
        let mut seen = std::collections::HashSet::new();
        for parameter in &function.parameters {
            self.in_range(parameter.index(), registers, parameter);
            self.require(seen.insert(*parameter), || format!("{parameter} is a parameter twice"));
        }
        for (index, info) in function.registers.iter().enumerate() {
            if let RegisterType::Int(bits) = info.ty {
                self.require((1..=64).contains(&bits), || {
                    format!("{} has {bits} bits, not 1 to 64", Register::new(index))
                });
            }
            if let Some(local) = info.local {
                self.in_range(local.index(), function.locals.len(), local);
            }
        }
        for local in &function.locals {
            self.ctype_in_range(local.ty);
            self.place(local.place);
            match local.storage {
                Storage::Register(register) | Storage::Memory(register) => {
                    self.in_range(register.index(), registers, register);
                }
                Storage::Nowhere => {}
            }
        }
        for constant in &function.constants {
            match constant {
                Constant::Global(id, _) => {
                    self.global_in_range(*id);
                }
                Constant::Function(id) => {
                    self.function_in_range(*id);
                }
                Constant::Block(id) => {
                    self.in_range(id.index(), function.blocks.len(), *id);
                }
                Constant::Bits(_) | Constant::Undefined => {}
            }
        }
        self.require(function.places.len() == function.code.len(), || {
            format!("{} places for {} instructions", function.places.len(), function.code.len())
        });
        for place in &function.places {
            self.place(*place);
        }
        self.blocks(function);
        for (pc, inst) in function.code.iter().enumerate() {
            self.instruction = Some(pc as u32);
            self.inst(function, inst);
        }
        self.instruction = None;
    }

    fn blocks(&mut self, function: &Function) {
        let mut next = 0;
        for (index, block) in function.blocks.iter().enumerate() {
            let name = BlockId::new(index);
            self.require(block.start == next, || {
                format!("{name} starts at {}, not where the block before ended, at {next}", block.start)
            });
            next = block.end;
            if block.start >= block.end || block.end as usize > function.code.len() {
                let length = function.code.len();
                self.error(format!(
                    "{name} is {}..{}: empty, or outside of {length} instructions",
                    block.start, block.end
                ));
                return;
            }
            let last = block.end - 1;
            for pc in block.start..block.end {
                let terminator = function.code[pc as usize].is_terminator();
                self.instruction = Some(pc);
                self.require(terminator == (pc == last), || match terminator {
                    true => format!("a terminator in the midst of {name}"),
                    false => format!("{name} does not end in a terminator"),
                });
                self.instruction = None;
            }
        }
        self.require(next as usize == function.code.len(), || {
            format!("the blocks end at {next}, the code at {}", function.code.len())
        });
    }
}
