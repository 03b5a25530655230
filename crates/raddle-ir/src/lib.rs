//! The program model: what every engine of raddle reads.
//!
//! A [`Program`] is a set of tables with typed ids: functions, globals, C types, source files. A [`Function`] is a flat
//! list of instructions cut into basic blocks, over *mutable* registers of at most 64 bits (not SSA: a local variable
//! whose address is never taken is one register that keeps its source name). Aggregates, vectors and wide integers
//! have been taken apart by the front end. Memory is reached only by explicit addresses.
//!
//! Absent here: how programs come in (`raddle-clang`), what they do (`raddle-machine`), any file or process.

pub mod ctype;
pub mod declaration;
pub mod ids;
pub mod instruction;
pub mod kernel;
pub mod operation;
pub mod program;
pub mod text;
pub mod verify;

pub use ctype::{CType, Member};
pub use declaration::{Declaration, Hold};
pub use ids::{
    BlockId, CTypeId, ConstantId, FileId, FunctionId, GlobalId, LocalId, Operand, OperandKind, Register,
};
pub use instruction::{Call, Callee, Inst, Switch, WideInst};
pub use kernel::KernelOp;
pub use operation::{
    Access, BinaryOp, BitOp, CastOp, CompareOp, FloatBinaryOp, FloatCastOp, FloatCompareOp, FloatKind,
    FloatUnaryOp, MemoryOrder, OverflowOp, UpdateOp, WideOp, Width,
};
pub use program::{
    Block, Constant, DataModel, Function, Global, Initializer, Local, Place, Program, RegisterInfo,
    RegisterType, Relocation, Storage, SymbolTarget,
};
