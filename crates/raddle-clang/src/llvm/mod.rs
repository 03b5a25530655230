//! Textual LLVM IR: a reader, its syntax tree and the data layout.
//!
//! [`parse`] reads a whole module. Pointers are one type, whether the text has typed (`i32*`, clang 14) or
//! opaque ones (`ptr`); debug intrinsics and debug records become the same item; names of values and blocks are
//! already resolved to dense indices, types and integer constants are shared.
//!
//! What is tolerated and dropped: attributes without a meaning for the program, comdats, use-list orders,
//! module summaries, metadata that is not debug information. What is not known is kept as text
//! ([`ast::Op::Other`]) so that the verdict can name it if it is ever reached.
//!
//! Speed, measured with the `read` example on a 2-core machine: 47 MB of clang 14 output (4,205 functions,
//! 394,795 instructions) in 0.63 s and 123 MB of memory, the text included; 46 MB of clang 19 output in 0.74 s.

pub mod ast;
mod floats;
pub mod layout;
mod lexer;
mod parser;

pub use ast::Module;
pub use layout::Layout;
pub use parser::{ReadError, parse};
