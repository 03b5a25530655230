//! The words of the text form: one table per enumeration, used by the printer and the parser alike.

use crate::operation::*;
use crate::program::{DataModel, RegisterType};

/// An enumeration whose variants are written as one word each.
pub(super) trait Word: Copy + Sized {
    fn word(self) -> &'static str;
    fn from_word(word: &str) -> Option<Self>;
}

macro_rules! words {
    ($ty:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl Word for $ty {
            fn word(self) -> &'static str {
                match self { $($ty::$variant => $word,)* }
            }
            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some($ty::$variant),)* _ => None }
            }
        }
    };
}

words!(DataModel { Ilp32 = "ilp32", Lp64 = "lp64" });
words!(MemoryOrder {
    NotAtomic = "plain",
    Unordered = "unordered",
    Relaxed = "relaxed",
    Acquire = "acquire",
    Release = "release",
    AcquireRelease = "acq_rel",
    SequentiallyConsistent = "seq_cst",
});
words!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    Shl = "shl",
    ShlSigned = "shl_signed",
    LShr = "lshr",
    AShr = "ashr",
    And = "and",
    Or = "or",
    Xor = "xor",
    UMin = "umin",
    UMax = "umax",
    SMin = "smin",
    SMax = "smax",
    UAddSat = "uadd_sat",
    SAddSat = "sadd_sat",
    USubSat = "usub_sat",
    SSubSat = "ssub_sat",
});
words!(CompareOp {
    Eq = "eq",
    Ne = "ne",
    ULt = "ult",
    ULe = "ule",
    UGt = "ugt",
    UGe = "uge",
    SLt = "slt",
    SLe = "sle",
    SGt = "sgt",
    SGe = "sge",
});
words!(CastOp {
    Truncate = "truncate",
    ZeroExtend = "zero_extend",
    SignExtend = "sign_extend",
    PointerToInt = "pointer_to_int",
    IntToPointer = "int_to_pointer",
});
words!(FloatKind { Float = "float", Double = "double" });
words!(FloatBinaryOp {
    Add = "fadd",
    Sub = "fsub",
    Mul = "fmul",
    Div = "fdiv",
    Rem = "frem",
    Min = "fmin",
    Max = "fmax",
    CopySign = "fcopysign",
    Pow = "fpow",
});
words!(FloatUnaryOp {
    Negate = "fneg",
    Abs = "fabs",
    Sqrt = "fsqrt",
    Floor = "ffloor",
    Ceil = "fceil",
    Trunc = "ftrunc",
    Round = "fround",
    RoundEven = "fround_even",
});
words!(FloatCastOp {
    Resize = "float_resize",
    ToSigned = "to_signed",
    ToUnsigned = "to_unsigned",
    FromSigned = "from_signed",
    FromUnsigned = "from_unsigned",
    ToSignedSaturating = "to_signed_sat",
    ToUnsignedSaturating = "to_unsigned_sat",
});
words!(OverflowOp {
    SAdd = "sadd_overflow",
    UAdd = "uadd_overflow",
    SSub = "ssub_overflow",
    USub = "usub_overflow",
    SMul = "smul_overflow",
    UMul = "umul_overflow",
});
words!(BitOp {
    PopCount = "popcount",
    LeadingZeros = "leading_zeros",
    TrailingZeros = "trailing_zeros",
    ByteSwap = "byte_swap",
    BitReverse = "bit_reverse",
    Abs = "abs",
    FunnelLeft = "funnel_left",
    FunnelRight = "funnel_right",
    Settle = "settle",
});
words!(UpdateOp {
    Exchange = "exchange",
    Add = "add",
    Sub = "sub",
    And = "and",
    Nand = "nand",
    Or = "or",
    Xor = "xor",
    Max = "max",
    Min = "min",
    UMax = "umax",
    UMin = "umin",
    UIncWrap = "uinc_wrap",
    UDecWrap = "udec_wrap",
    FAdd = "fadd",
    FSub = "fsub",
    FMax = "fmax",
    FMin = "fmin",
});

const FLOAT_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule",
    "une", "true",
];

impl Word for FloatCompareOp {
    fn word(self) -> &'static str {
        FLOAT_PREDICATES.get(self.0 as usize).copied().unwrap_or("invalid")
    }
    fn from_word(word: &str) -> Option<Self> {
        FLOAT_PREDICATES.iter().position(|p| *p == word).map(|mask| FloatCompareOp(mask as u8))
    }
}

/// `i32` as 32.
pub(super) fn int_bits<T: std::str::FromStr>(word: &str) -> Option<T> {
    let digits = word.strip_prefix('i')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// The index in a word such as `r12` (prefix `r`).
pub(super) fn numbered(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

pub(super) fn type_from_word(word: &str) -> Option<RegisterType> {
    match word {
        "float" => Some(RegisterType::Float),
        "double" => Some(RegisterType::Double),
        "ptr" => Some(RegisterType::Pointer),
        _ => int_bits(word).map(RegisterType::Int),
    }
}

pub(super) fn type_word(ty: RegisterType) -> String {
    match ty {
        RegisterType::Int(bits) => format!("i{bits}"),
        RegisterType::Float => "float".into(),
        RegisterType::Double => "double".into(),
        RegisterType::Pointer => "ptr".into(),
    }
}

pub(super) fn width_of(ty: RegisterType) -> Width {
    match ty {
        RegisterType::Int(bits) => Width::Int(bits),
        RegisterType::Float => Width::Float,
        RegisterType::Double => Width::Double,
        RegisterType::Pointer => Width::Pointer,
    }
}

/// Whether a name may stand without quotes.
pub(super) fn is_bare_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| is_word_byte(b) && !b.is_ascii_digit())
        && bytes.all(is_word_byte)
        && name.bytes().any(|b| b != b'.')
}

pub(super) fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')
}

/// Whether a file name may stand without quotes in a place.
pub(super) fn is_bare_file(name: &str) -> bool {
    name.chars().next().is_some_and(|c| !c.is_ascii_digit() && c != '#')
        && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == ':' || c == '"')
}
