//! Boolean programs as text and as a tree, after Basler, *Model checking Boolean programs* (2010), appendix A, and the
//! dialects in use.
//!
//! [`parse`] reads what SLAM, SATABS/BOPPO and BOOM wrote; [`print`](fn@print) writes one form of it. What the tree
//! means is decided in [`crate::flow`], where names are resolved and control becomes a graph.
//!
//! ```text
//! program     := declaration* procedure*
//! declaration := "decl" name ("," name)* ";"
//! procedure   := type? name "(" names? ")" "begin" statement* "end"
//! type        := "void" | "bool" | "bool" "<" (integer | names) ">"
//! statement   := (label ":")* action ";"          label: a name or a whole number
//! action      := "skip" | "decl" names | "goto" labels | "return" values? | "enforce" value
//!              | targets ":=" values ("constrain" value)? | (targets ":=")? name "(" values? ")"
//!              | "assert" value | "assume" value | "dead" names? | "print" "(" values? ")"
//!              | "if" value "then" statement* ("elsif" value "then" statement*)* ("else" statement*)? "fi"
//!              | "while" value "do" statement* "od"
//!              | "start_thread" "goto"? label | "start_thread" name "(" values? ")"
//!              | "end_thread" | "thread_end" | "atomic_begin" | "atomic_end"
//! value       := value "?" value ":" value                      binds least
//!              | value ("|" | "||" | "=>" | "==>") value
//!              | value "^" value
//!              | value ("&" | "&&") value
//!              | value ("=" | "==" | "!=" | "<>") value
//!              | ("!" | "~") value                              binds most
//!              | "0" | "1" | "F" | "T" | "false" | "true" | "*" | name | "'" name | name "'"
//!              | "schoose" "[" value "," value "]" | "(" value ")"
//! name        := [a-zA-Z_][a-zA-Z0-9_$]* | "{" anything on one line but "}" "}"
//! ```
//!
//! Operators lean to the left. The old tools disagree on `a => b | c`, on `a => b => c` and on `a ? b : c ? d : e`;
//! without parentheses these are errors here. `if`, `while` and `end` may be followed by a semicolon. Comments are
//! `// ...` and `/* ... */`.
//!
//! Not read, with an error that says so: variables declared `thread_local`, broadcast assignments to `v$`, `sync` and
//! `abortif`, which no tool of the three is known to write.

mod comments;
mod error;
mod expressions;
mod lexer;
mod parser;
mod printer;
mod syntax;
mod token;

pub use error::{Place, ProgramError, Span};
pub use parser::{MAXIMUM_DEPTH, MAXIMUM_NESTING, parse};
pub use printer::print;
pub use syntax::{
    Binary, Branch, Comment, Expression, ExpressionKind, Name, Procedure, Program, Statement, StatementKind,
    ThreadStart,
};
