//! Typed ids into the tables of a program. Each prints exactly as it is written in the text form.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("a table of a program has fewer than 2^32 rows"))
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// A function of the program.
    FunctionId, "fn");
id!(
    /// A global (or thread-local) variable.
    GlobalId, "g");
id!(
    /// A basic block of one function.
    BlockId, "bb");
id!(
    /// A register of one function: at most 64 bits, mutable.
    Register, "r");
id!(
    /// A constant of one function.
    ConstantId, "c");
id!(
    /// A local variable of the source, for names in reports.
    LocalId, "local");
id!(
    /// A C type, for names in reports.
    CTypeId, "ty");
id!(
    /// A source file.
    #[derive(Default)]
    FileId, "file");

/// What an instruction reads: a register or a constant of its function, packed into four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operand(u32);

/// An unpacked [`Operand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandKind {
    Register(Register),
    Constant(ConstantId),
}

impl Operand {
    const CONSTANT: u32 = 1 << 31;

    #[inline(always)]
    pub fn register(r: Register) -> Operand {
        debug_assert!(r.0 < Self::CONSTANT);
        Operand(r.0)
    }
    #[inline(always)]
    pub fn constant(c: ConstantId) -> Operand {
        debug_assert!(c.0 < Self::CONSTANT);
        Operand(c.0 | Self::CONSTANT)
    }
    #[inline(always)]
    pub fn kind(self) -> OperandKind {
        if self.0 & Self::CONSTANT == 0 {
            OperandKind::Register(Register(self.0))
        } else {
            OperandKind::Constant(ConstantId(self.0 & !Self::CONSTANT))
        }
    }
    pub fn as_register(self) -> Option<Register> {
        match self.kind() {
            OperandKind::Register(r) => Some(r),
            OperandKind::Constant(_) => None,
        }
    }
    pub fn as_constant(self) -> Option<ConstantId> {
        match self.kind() {
            OperandKind::Register(_) => None,
            OperandKind::Constant(c) => Some(c),
        }
    }
}

impl From<Register> for Operand {
    fn from(r: Register) -> Operand {
        Operand::register(r)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind() {
            OperandKind::Register(r) => r.fmt(f),
            OperandKind::Constant(c) => c.fmt(f),
        }
    }
}
impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
