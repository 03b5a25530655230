//! The text form of a program: for tests written by hand, for bug reports, and to look at what the front end made.
//!
//! `parse(&print(&p))` equals `p` for every program that [`crate::verify::verify`] accepts. The parser takes more than
//! the printer writes, checks only what it needs to build the tables (the rest is the verifier's), and never panics;
//! its tables are no larger than a small multiple of its input.
//!
//! # Example
//!
//! Two threads that add to one counter, without a lock:
//!
//! ```
//! let text = r#"
//! entry @main
//! global counter: i32
//!
//! function worker(r0: ptr) {
//! bb0:
//!     load.i32 r1 = [&counter]            @ counter.c:5:5
//!     add.i32.nsw r1 = r1, 1
//!     store.i32 [&counter] = r1           @ counter.c:5:12
//!     return
//! }
//!
//! function main() {
//! bb0:
//!     kernel.begin
//!     r0 = kernel.spawn @worker, null
//!     kernel.end
//!     r1: i32 = call @main_part(r0)
//!     kernel.process_exit r1, 0
//!     unreachable
//! }
//!
//! function main_part(r0: i32) -> 1 {
//! bb0:
//!     call @worker(null)
//!     jump bb1
//! bb1:
//!     r1 = kernel.finished r0
//!     eq.i32 r2 = r1, 1
//!     branch r2, bb2, bb1
//! bb2:
//!     return 0
//! }
//! "#;
//! let program = raddle_ir::text::parse(text).unwrap();
//! raddle_ir::verify::verify(&program).unwrap();
//! assert_eq!(raddle_ir::text::parse(&raddle_ir::text::print(&program)).unwrap(), program);
//! ```
//!
//! # Grammar
//!
//! A declaration or an instruction is one line; a list in brackets may go on over lines. `//` begins a comment. `NAME`
//! is a bare word or a string (`"odd name"`); strings know `\n \t \r \" \\ \u{hex}`. `{x}` is repetition, `[x]` option,
//! quotes are left off where no doubt arises. Tables are filled in the order of their declarations; functions and
//! globals may be used before they are declared.
//!
//! ```text
//! program   data_model (lp64 | ilp32)                    first, if at all; default lp64
//!           entry FUNCTION                               default: @main, else the first function
//!           main_tcb GLOBAL
//!           file STRING                                  or by its first use in a place
//!           type tyN = CTYPE
//!           global NAME: (TYPE | SIZE) [align N] {thread_local | constant | external | library} [type tyN]
//!                  ['=' INIT] [PLACE]                    align: that of TYPE, or 16
//!           function NAME(REGDECL, ... ['...']) ['->' RESULTS] [library [added] {declares STRING}]
//!                    [PLACE] [BODY]
//! INIT      NUMBER | BYTES | { [BYTES,] {OFFSET: TARGET[+N],} {undefined START to END,} }
//! BYTES     b"printable ASCII, \\, \", \xNN"
//! TARGET    GLOBAL | FUNCTION | &bbN of FUNCTION
//! CTYPE     void | function | integer NAME SIZE [signed] [boolean] [character] | float NAME SIZE | pointer tyN
//!           | array tyN [COUNT] | (struct | union) NAME SIZE { NAME: tyN at BIT [width BITS], ... }
//!           | enum NAME SIZE { NAME = VALUE, ... } | typedef NAME tyN | qualified NAME tyN | opaque NAME SIZE
//!
//! BODY      '{'                                          and then, a line each:
//!             localN: NAME tyN [in rN | at rN] [PLACE]   in: is that register; at: lives at its address
//!             REGDECL                                    only for registers that no instruction defines first
//!             constants [CONSTANT, ...]                  only where the order of the table matters
//!           bb0:                                         blocks by ascending number
//!             INSTRUCTION [PLACE]
//!           '}'
//! REGDECL   rN: TYPE [localN]
//! TYPE      i1 .. i64 | float | double | ptr
//! PLACE     @ [FILE:]LINE:COLUMN                         '@', a blank; without FILE: the first file
//! FILE      name.c | STRING | #N
//! FUNCTION  @NAME | @fnN | @#N                           a function of that name goes before the number
//! GLOBAL    &NAME | &gN | &#N
//!
//! OPERAND   rN | CONSTANT | cN                           cN: of the explicit table
//! CONSTANT  NUMBER[:TYPE] | null | undef | GLOBAL[+N] | FUNCTION | &bbN
//! NUMBER    [-]12 | 0x1f | [-]1.5                        a sign or a point only where the type is known or written
//! ```
//!
//! The results of an instruction, `rN[: TYPE], ... =`, stand after its word or before it. The type is needed where
//! neither a declaration, nor an earlier definition, nor the instruction itself gives it: in `copy`, `select`, `call`.
//!
//! ```text
//! copy R = x                             add.i32[.nsw] R = a, b          eq.i32 R = a, b     ult.ptr R = a, b
//! zero_extend.i8.i32 R = x               pointer_to_int.i64.i32 R = x    select R = condition, yes, no
//! pointer_add.i64 R = base, index [* scale] [+ offset]                   freeze.i32 R = x
//! fadd.double R = a, b                   fneg.float R = x                fma.double R = a, b, c (unfused: fmuladd)
//! fcmp.olt.double R = a, b               to_signed.double.i32 R = x      float_resize.float R = x
//! sadd_overflow.i32 R, OVERFLOW = a, b   popcount.i32 R = x              funnel_left.i32 R = a, b, c
//! wide.add.i128[.nsw] R = rA, rB         wide.zero_extend.i32.i128 R = rA      wide.truncate.i128.i32 R = rA
//! wide.from_float.double.signed.i128 R = rA                              wide.to_float.double.unsigned.i128 R = rA
//! load.i32 R = [address] ACCESS          store.i32 [address] = x ACCESS
//! update.add.i32 R = [address], x ACCESS
//! compare_exchange.ptr OLD, SUCCESS = [address], expected, new ACCESS [failure ORDER] [weak]
//! fence ORDER                            alloca R = size [align 4]       R = stack_save      stack_restore x
//! R = thread_local GLOBAL[+N]            lifetime_start x                lifetime_end x
//! memory_copy [to] = [from], length [private]   memory_move ...          memory_set [to] = byte, length [private]
//! va_start x [private]   va_end x   va_copy to, from [private]   R = set_jump x [private]   long_jump x, value [private]
//! R = call @f(a, b; i32 c, ptr d)        R = call *x(a)                  after `;`: variadic, with their types
//! R = kernel.spawn a, b                  unsupported STRING
//! jump bb1         branch x, bb1, bb2    switch x [1: bb1, 5: bb2] else bb3
//! indirect_jump x [bb1, bb2]             return a, b                     unreachable
//!
//! ACCESS    [ORDER] [volatile] [align 4] [private]       private: not a scheduling point
//! ORDER     plain | unordered | relaxed | acquire | release | acq_rel | seq_cst
//! ```
//!
//! Without an order, loads and stores are plain, updates and compare-exchanges `seq_cst`; without `align` an access is
//! aligned to its size and a stack object to 16 bytes; without `failure` it is the strongest order that C11 allows.

mod body;
mod cursor;
mod defaults;
mod lexer;
mod parse_instruction;
mod parser;
mod print_instruction;
mod printer;
mod words;

pub use parser::parse;
pub use printer::print;

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    pub message: String,
}

impl ParseError {
    fn at(text: &str, position: usize, message: impl Into<String>) -> ParseError {
        let before = text.get(..position).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
        ParseError {
            line: number(before.bytes().filter(|b| *b == b'\n').count()),
            column: number(before[line_start..].chars().count()),
            message: message.into(),
        }
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
impl std::error::Error for ParseError {}
