//! Formulas from text.
//!
//! ```text
//! formula     := formula ("->" | "<->") formula          binds least
//!              | formula ("||" | "\/") formula
//!              | formula ("&&" | "/\") formula
//!              | formula ("U" | "V" | "R" | "W") formula
//!              | ("!" | "[]" | "G" | "<>" | "F" | "X") formula   binds most
//!              | "(" formula ")" | "true" | "false" | proposition
//! proposition := [a-zA-Z_][a-zA-Z0-9_]*, but not one of G F X U V R W
//! ```
//!
//! Precedence and associativity are those of SPIN's `ltl { ... }` blocks, observed in SPIN 6.5.2: *all* operators of
//! two operands lean to the left, so `p U q U r` is `(p U q) U r` and `p -> q -> r` is `(p -> q) -> r`; operators of
//! one line above bind alike. (SPIN's older reader, `spin -f`, puts `&&`, `||`, `->` and `<->` on one level; not
//! here.) `R` is another spelling of `V`; SPIN has only the latter. SPIN's words `always`, `until` and so on are not
//! operators here but names.
//!
//! The reader is an operator-precedence parser with two stacks (Floyd 1963) and never recurses. Its limits turn absurd
//! text into an error before it becomes an absurd formula.

use crate::formula::{Formula, FormulaBuilder, FormulaId, Node};
use std::fmt;
use std::str::FromStr;

/// The nesting depth of operators, at most.
pub const MAXIMUM_DEPTH: usize = 1_000;

/// How many parentheses and operators may be unfinished at any place. The printer opens at most one parenthesis an
/// operator, so that whatever was read is printed as a text that can be read.
const MAXIMUM_OPEN: usize = 4 * MAXIMUM_DEPTH;

/// How many distinct subformulas there may be.
pub const MAXIMUM_NODES: usize = 10_000;

/// Longer words are refused, and messages quote them cut.
const MAXIMUM_NAME: usize = 200;

/// Why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// In characters, from 1; one past the end where the text ends too early.
    pub column: usize,
    /// What the text has there.
    pub found: String,
    /// What was expected there, or which limit was passed.
    pub expected: String,
    /// What was probably meant.
    pub hint: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: found {}, expected {}", self.column, self.found, self.expected)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Formula {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Formula, ParseError> {
        parse(text)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Open,
    Implies,
    Equivalent,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    Not,
    Globally,
    Eventually,
    Next,
}

impl Operator {
    /// Higher binds more. Zero is the parenthesis, which nothing but its partner takes away.
    fn precedence(self) -> u8 {
        match self {
            Operator::Open => 0,
            Operator::Implies | Operator::Equivalent => 1,
            Operator::Or => 2,
            Operator::And => 3,
            Operator::Until | Operator::Release | Operator::WeakUntil => 4,
            Operator::Not | Operator::Globally | Operator::Eventually | Operator::Next => 5,
        }
    }

    fn is_unary(self) -> bool {
        self.precedence() == 5
    }
}

enum Token {
    Operator(Operator),
    Close,
    Constant(bool),
    Name,
}

/// A token, its first byte and its spelling.
struct Placed<'t> {
    token: Token,
    at: usize,
    text: &'t str,
}

const OPERAND: &str = "a proposition, `true`, `false`, `(`, `!`, `[]`, `<>` or `X`";
const OPERATOR: &str = "an operator (`&&`, `||`, `->`, `<->`, `U`, `V`, `W`)";

/// Reads a formula; see the head of this file for the grammar.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    Parser { text, at: 0, builder: FormulaBuilder::new(), operators: Vec::new(), operands: Vec::new() }.run()
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    builder: FormulaBuilder,
    /// Each with the byte where it begins.
    operators: Vec<(Operator, usize)>,
    /// Each with the number of operators from its root to its deepest leaf.
    operands: Vec<(FormulaId, usize)>,
}

impl<'t> Parser<'t> {
    fn run(mut self) -> Result<Formula, ParseError> {
        let mut operand_is_due = true;
        let mut previous = "";
        while let Some(Placed { token, at, text }) = self.next_token(operand_is_due)? {
            match token {
                Token::Operator(operator) if operator.is_unary() || operator == Operator::Open => {
                    if !operand_is_due {
                        return Err(self.misplaced(at, text, previous));
                    }
                    if self.operators.len() == MAXIMUM_OPEN {
                        return Err(self.error(
                            at,
                            text,
                            format!("at most {MAXIMUM_OPEN} nested parentheses"),
                        ));
                    }
                    self.operators.push((operator, at));
                }
                Token::Operator(operator) => {
                    if operand_is_due {
                        return Err(self.error(at, text, OPERAND));
                    }
                    // `>=`, not `>`: everything leans to the left.
                    while self.top_precedence() >= operator.precedence() {
                        self.apply_top()?;
                    }
                    self.operators.push((operator, at));
                    operand_is_due = true;
                }
                Token::Close => {
                    if operand_is_due {
                        return Err(self.error(at, text, OPERAND));
                    }
                    while self.top_precedence() > 0 {
                        self.apply_top()?;
                    }
                    if self.operators.pop().is_none() {
                        let expected = format!("{OPERATOR} or the end");
                        let error = self.error(at, text, expected);
                        return Err(ParseError { hint: Some("no `(` is open here".into()), ..error });
                    }
                }
                Token::Constant(_) | Token::Name => {
                    if !operand_is_due {
                        return Err(self.misplaced(at, text, previous));
                    }
                    let operand = match token {
                        Token::Constant(true) => self.builder.add(Node::True),
                        Token::Constant(false) => self.builder.add(Node::False),
                        _ => self.builder.proposition(text),
                    };
                    self.operands.push((operand, 0));
                    operand_is_due = false;
                }
            }
            previous = text;
            self.check_size(at)?;
        }
        let end = self.text.len();
        if operand_is_due {
            return Err(self.error(end, "", OPERAND));
        }
        while self.top_precedence() > 0 {
            self.apply_top()?;
        }
        if let Some((_, opened)) = self.operators.pop() {
            let hint = format!("the `(` in column {} is not closed", self.column(opened));
            return Err(ParseError { hint: Some(hint), ..self.error(end, "", format!("{OPERATOR} or `)`")) });
        }
        self.check_size(end)?;
        Ok(self.builder.finish(self.operands[0].0))
    }

    /// Zero when there is none.
    fn top_precedence(&self) -> u8 {
        self.operators.last().map_or(0, |(operator, _)| operator.precedence())
    }

    fn apply_top(&mut self) -> Result<(), ParseError> {
        let (operator, at) = self.operators.pop().expect("the caller saw an operator");
        let mut depth = 0;
        let mut operand = || {
            let (id, below) = self.operands.pop().expect("operators are only pushed where operands follow");
            depth = depth.max(below + 1);
            id
        };
        let last = operand();
        let built = match operator {
            Operator::Open => unreachable!("a parenthesis has the lowest precedence"),
            Operator::Not => self.builder.add(Node::Not(last)),
            Operator::Next => self.builder.add(Node::Next(last)),
            Operator::Globally => self.builder.globally(last),
            Operator::Eventually => self.builder.eventually(last),
            Operator::Implies => self.builder.add(Node::Implies(operand(), last)),
            Operator::Equivalent => self.builder.add(Node::Equivalent(operand(), last)),
            Operator::Or => self.builder.add(Node::Or(operand(), last)),
            Operator::And => self.builder.add(Node::And(operand(), last)),
            Operator::Until => self.builder.add(Node::Until(operand(), last)),
            Operator::Release => self.builder.add(Node::Release(operand(), last)),
            Operator::WeakUntil => self.builder.add(Node::WeakUntil(operand(), last)),
        };
        self.operands.push((built, depth));
        if depth > MAXIMUM_DEPTH {
            let error = self.error(at, "", format!("at most {MAXIMUM_DEPTH} nested operators"));
            return Err(ParseError { found: "more".into(), ..error });
        }
        self.check_size(at)
    }

    fn check_size(&self, at: usize) -> Result<(), ParseError> {
        if self.builder.len() <= MAXIMUM_NODES {
            return Ok(());
        }
        let error = self.error(at, "", format!("at most {MAXIMUM_NODES} different subformulas"));
        Err(ParseError { found: "more".into(), ..error })
    }

    /// `operand_is_due` only decides what a message says.
    fn next_token(&mut self, operand_is_due: bool) -> Result<Option<Placed<'t>>, ParseError> {
        let rest = self.text[self.at..].trim_start();
        let at = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        const SYMBOLS: [(&str, Option<Operator>); 11] = [
            ("(", Some(Operator::Open)),
            (")", None),
            ("!", Some(Operator::Not)),
            ("[]", Some(Operator::Globally)),
            ("<->", Some(Operator::Equivalent)),
            ("<>", Some(Operator::Eventually)),
            ("->", Some(Operator::Implies)),
            ("&&", Some(Operator::And)),
            ("/\\", Some(Operator::And)),
            ("||", Some(Operator::Or)),
            ("\\/", Some(Operator::Or)),
        ];
        let (token, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            if length > MAXIMUM_NAME {
                return Err(self.error(
                    at,
                    &rest[..length],
                    format!("a name of at most {MAXIMUM_NAME} letters"),
                ));
            }
            let token = match &rest[..length] {
                "true" => Token::Constant(true),
                "false" => Token::Constant(false),
                "G" => Token::Operator(Operator::Globally),
                "F" => Token::Operator(Operator::Eventually),
                "X" => Token::Operator(Operator::Next),
                "U" => Token::Operator(Operator::Until),
                "R" | "V" => Token::Operator(Operator::Release),
                "W" => Token::Operator(Operator::WeakUntil),
                _ => Token::Name,
            };
            (token, length)
        } else if let Some((symbol, operator)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            (operator.map_or(Token::Close, Token::Operator), symbol.len())
        } else {
            let expected = if operand_is_due { OPERAND } else { OPERATOR };
            let hint = match first {
                '&' => Some("conjunction is written `&&`"),
                '|' => Some("disjunction is written `||`"),
                '[' => Some("`[]` is written without a space"),
                '=' => Some("implication is written `->`, equivalence `<->`"),
                _ => None,
            };
            let error = self.error(at, &rest[..first.len_utf8()], expected);
            return Err(ParseError { hint: hint.map(str::to_string), ..error });
        };
        self.at = at + length;
        Ok(Some(Placed { token, at, text: &rest[..length] }))
    }

    /// Something that begins an operand is where an operator is expected.
    fn misplaced(&self, at: usize, text: &str, previous: &str) -> ParseError {
        let spelt = previous.len() > 1 && previous.chars().all(|c| "GFXUVRW".contains(c));
        let hint = spelt.then(|| {
            let apart: Vec<String> = previous.chars().map(String::from).collect();
            format!("`{previous}` is a proposition; the operators are written apart: `{}`", apart.join(" "))
        });
        ParseError { hint, ..self.error(at, text, format!("{OPERATOR} or the end")) }
    }

    /// An empty `text` denotes the end of the input.
    fn error(&self, at: usize, text: &str, expected: impl Into<String>) -> ParseError {
        let found = match text.char_indices().nth(40) {
            Some((cut, _)) => format!("`{}...`", &text[..cut]),
            None if text.is_empty() => "the end of the formula".to_string(),
            None => format!("`{}`", text.escape_debug()),
        };
        ParseError { column: self.column(at), found, expected: expected.into(), hint: None }
    }

    fn column(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }
}
