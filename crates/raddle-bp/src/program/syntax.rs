//! The tree of a Boolean program, close to its text: sugar stays sugar, names stay names.
//!
//! What is lost in reading: parentheses, the spelling of operators and constants, empty statements, and `goto` in
//! `start_thread goto L`.

use super::Span;

/// A whole file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The `decl` statements before the first procedure.
    pub globals: Vec<Statement>,
    pub procedures: Vec<Procedure>,
    /// All comments, in the order of the text; the printer puts them back by their places.
    pub comments: Vec<Comment>,
}

/// A comment with its signs, `// like this` or `/* like this */`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    pub text: String,
    pub span: Span,
}

/// A name and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    pub name: Name,
    pub parameters: Vec<Name>,
    /// How many values it returns.
    pub results: usize,
    pub body: Vec<Statement>,
    /// From the type to `begin`.
    pub heading: Span,
    /// The word `end`.
    pub end: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Names and whole numbers. `ASYNC_1` and its like before a call make it a thread creation.
    pub labels: Vec<Name>,
    pub kind: StatementKind,
    /// With its labels and its semicolon; of an `if` or a `while` only up to `then` or `do`.
    pub span: Span,
    /// The same without its labels.
    pub action: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    Skip,
    /// `decl`, of local variables in a procedure and of shared ones outside. It does nothing when control passes.
    Declaration(Vec<Name>),
    /// Holds before every statement of the procedure, at whose beginning it is.
    Enforce(Expression),
    Goto(Vec<Name>),
    Return(Vec<Expression>),
    /// All at once: `targets := values constrain condition`.
    Assignment {
        targets: Vec<Name>,
        values: Vec<Expression>,
        constrain: Option<Expression>,
    },
    Call {
        targets: Vec<Name>,
        procedure: Name,
        arguments: Vec<Expression>,
    },
    Assert(Expression),
    Assume(Expression),
    /// The values of these are never read again.
    Dead(Vec<Name>),
    /// Does nothing.
    Print(Vec<Expression>),
    /// `if` and the `elsif`s, then perhaps `else`.
    If {
        branches: Vec<Branch>,
        otherwise: Option<(Span, Vec<Statement>)>,
        fi: Span,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
        od: Span,
    },
    StartThread(ThreadStart),
    EndThread,
    AtomicBegin,
    AtomicEnd,
}

/// One condition of an `if` and what is done where it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    pub condition: Expression,
    pub body: Vec<Statement>,
    /// From `if` or `elsif` to `then`.
    pub heading: Span,
}

/// Where a new thread starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadStart {
    /// At a label of the same procedure, as a copy of the thread that starts it.
    Label(Name),
    /// In a procedure of its own.
    Procedure { procedure: Name, arguments: Vec<Expression> },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionKind {
    Constant(bool),
    Variable(String),
    /// The value after the assignment; only after `constrain`.
    Primed(String),
    /// `*`, either value, each occurrence for itself.
    Choice,
    Not(Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`.
    Conditional(Box<[Expression; 3]>),
    /// `schoose[positive, negative]`: true if the first holds, else false if the second does, else either.
    Schoose(Box<[Expression; 2]>),
}

/// Operators of two operands, those that bind least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Binary {
    Implies,
    Or,
    Xor,
    And,
    Equal,
    Different,
}

impl Binary {
    /// How it is printed.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Implies => "=>",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::And => "&",
            Binary::Equal => "=",
            Binary::Different => "!=",
        }
    }

    /// How tightly it binds; `=>` and `|` bind alike, and so do `=` and `!=`.
    pub fn strength(self) -> u8 {
        match self {
            Binary::Implies | Binary::Or => 1,
            Binary::Xor => 2,
            Binary::And => 3,
            Binary::Equal | Binary::Different => 4,
        }
    }
}
