//! Expressions over states, as settings name them; `monitors/evaluate.rs` has their values.

use raddle_ir::{FunctionId, GlobalId};

/// A truth about states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// As the user wrote it.
    pub text: String,
    pub code: ExpressionCode,
}

/// Where the code of an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpressionCode {
    /// A function that returns 0 where the expression is false.
    Function(FunctionId),
    /// All functions that the program has registered: their addresses, up to the first null.
    Registered { table: GlobalId },
}
