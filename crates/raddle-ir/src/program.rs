//! The tables of a program: functions, blocks, registers, globals, constants, source places.

use crate::ctype::CType;
use crate::declaration::Declaration;
use crate::ids::*;
use crate::instruction::Inst;

/// Sizes of C's types: `long` and pointers have 4 bytes in ILP32, 8 in LP64.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u32 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
    pub fn pointer_bits(self) -> u8 {
        self.pointer_bytes() as u8 * 8
    }
}

/// A whole program: everything that can be executed, with its sources' names.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub data_model: DataModel,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    pub ctypes: Vec<CType>,
    /// Names of source files, as the compiler wrote them.
    pub files: Vec<String>,
    /// Where the first thread starts: a function without parameters that never returns normally.
    pub entry: FunctionId,
    /// The global that is the main thread's `tcb` (see `raddle-clang/models/kernel.h`).
    pub main_tcb: Option<GlobalId>,
}

/// A place in the source. Line 0: unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

/// A function. Code is flat; blocks are ranges of it that begin in order and do not overlap; each ends in a
/// terminator and has no other one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Function {
    /// The name in the source; two static functions may have the same.
    pub name: String,
    /// The registers that receive the arguments, in order.
    pub parameters: Vec<Register>,
    pub variadic: bool,
    /// How many values it returns (0, 1, or the parts of an aggregate).
    pub results: u32,
    pub registers: Vec<RegisterInfo>,
    pub constants: Vec<Constant>,
    pub code: Vec<Inst>,
    /// The source place of each instruction, parallel to `code`.
    pub places: Vec<Place>,
    /// Entry block first. Empty: the function has no body; a call of it is an unsupported step.
    pub blocks: Vec<Block>,
    pub locals: Vec<Local>,
    /// Part of a library model: its steps are shown as the user's call of the library function.
    pub library: bool,
    /// Part of a library model that the user has added.
    pub added: bool,
    /// What the model declares of itself.
    pub declarations: Vec<Declaration>,
    pub place: Place,
}

/// A basic block: `code[start..end]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    pub start: u32,
    pub end: u32,
}

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegisterType {
    /// An integer of 1 to 64 bits (the upper bits are zero).
    Int(u8),
    Float,
    Double,
    Pointer,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RegisterInfo {
    pub ty: RegisterType,
    /// The source variable that this register is.
    pub local: Option<LocalId>,
}

/// A local variable or parameter of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    pub name: String,
    pub ty: CTypeId,
    pub place: Place,
    pub storage: Storage,
}

/// Where a local variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// It is this register.
    Register(Register),
    /// This register holds the address of its stack object.
    Memory(Register),
    /// The optimiser removed it.
    Nowhere,
}

/// A constant operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// An integer, or the bits of a float, zero-extended.
    Bits(u64),
    /// The address of a global that is not thread-local (see `Inst::ThreadLocal`), plus bytes.
    Global(GlobalId, i64),
    Function(FunctionId),
    /// Every bit indeterminate (`undef` and poison).
    Undefined,
    /// The address of a block of this function, for indirect jumps.
    Block(BlockId),
}

/// A global variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    pub name: String,
    pub size: u64,
    pub align: u32,
    pub initializer: Initializer,
    pub thread_local: bool,
    /// Writing it is a memory fault.
    pub constant: bool,
    /// Declared in the program but defined nowhere: touching it is an unsupported step.
    pub external: bool,
    pub ty: Option<CTypeId>,
    pub place: Place,
    pub library: bool,
}

/// The first content of a global.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Initializer {
    /// Leading bytes; all after them are zero.
    pub bytes: Vec<u8>,
    /// Pointers inside, by ascending offset.
    pub relocations: Vec<Relocation>,
    /// Ranges of indeterminate bytes (start, end), ascending.
    pub undefined: Vec<(u64, u64)>,
}

/// A pointer inside an initializer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    pub offset: u64,
    pub target: SymbolTarget,
    pub addend: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SymbolTarget {
    Global(GlobalId),
    Function(FunctionId),
    /// The address of a block of a function (computed goto tables).
    Block(FunctionId, BlockId),
}

impl Program {
    #[inline]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }
    pub fn ctype(&self, id: CTypeId) -> &CType {
        &self.ctypes[id.index()]
    }
    pub fn file(&self, id: FileId) -> &str {
        self.files.get(id.index()).map_or("", |f| f.as_str())
    }
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|f| f.name == name).map(FunctionId::new)
    }
    /// Size in bytes of a C type, as far as it is known.
    pub fn ctype_size(&self, id: CTypeId) -> Option<u64> {
        let mut id = id;
        let mut factor = 1u64;
        for _ in 0..64 {
            match self.ctype(id) {
                CType::Void | CType::Function => return None,
                CType::Integer { size, .. } | CType::Float { size, .. } | CType::Enum { size, .. } => {
                    return factor.checked_mul(*size as u64);
                }
                CType::Pointer(_) => return factor.checked_mul(self.data_model.pointer_bytes() as u64),
                CType::Array { element, count } => {
                    factor = factor.checked_mul((*count)?)?;
                    id = *element;
                }
                CType::Struct { size, .. } | CType::Union { size, .. } | CType::Opaque { size, .. } => {
                    return factor.checked_mul(*size);
                }
                CType::Typedef { target, .. } | CType::Qualified { target, .. } => id = *target,
            }
        }
        None
    }
}

impl Function {
    pub fn has_body(&self) -> bool {
        !self.blocks.is_empty()
    }
    /// The constant that an operand is.
    pub fn constant(&self, operand: Operand) -> Option<&Constant> {
        operand.as_constant().and_then(|id| self.constants.get(id.index()))
    }
    /// The bits of a constant operand.
    pub fn constant_bits(&self, operand: Operand) -> Option<u64> {
        match self.constant(operand)? {
            Constant::Bits(bits) => Some(*bits),
            _ => None,
        }
    }
    /// The place in a global whose constant address an operand is.
    pub fn constant_place(&self, operand: Operand) -> Option<(GlobalId, i64)> {
        match self.constant(operand)? {
            Constant::Global(global, offset) => Some((*global, *offset)),
            _ => None,
        }
    }
    /// The block that the instruction at `pc` belongs to.
    pub fn block_of(&self, pc: u32) -> BlockId {
        let index = self.blocks.partition_point(|b| b.start <= pc);
        BlockId::new(index.saturating_sub(1))
    }

    /// Whether the constants are those that the code uses, once each, in the order of their first use.
    pub fn has_canonical_constants(&self) -> bool {
        let mut next = 0;
        let mut in_order = true;
        for inst in self.code.iter().filter(|inst| !matches!(inst, Inst::Wide(_))) {
            inst.for_each_operand(|operand| {
                if let Some(constant) = operand.as_constant() {
                    in_order &= constant.index() <= next;
                    next = next.max(constant.index() + 1);
                }
            });
        }
        let distinct: std::collections::HashSet<&Constant> = self.constants.iter().collect();
        in_order && next == self.constants.len() && distinct.len() == self.constants.len()
    }

    /// Drops unused and repeated constants and puts the others in the order of their first use.
    pub fn canonicalise_constants(&mut self) {
        let old = std::mem::take(&mut self.constants);
        let mut ids = std::collections::HashMap::new();
        let constants = &mut self.constants;
        // Wide instructions read registers only.
        for inst in self.code.iter_mut().filter(|inst| !matches!(inst, Inst::Wide(_))) {
            inst.for_each_operand_mut(|operand| {
                if let Some(constant) = operand.as_constant() {
                    let constant = &old[constant.index()];
                    let id = *ids.entry(constant).or_insert_with(|| {
                        constants.push(constant.clone());
                        ConstantId::new(constants.len() - 1)
                    });
                    *operand = Operand::constant(id);
                }
            });
        }
    }
}
