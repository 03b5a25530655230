//! The parser: declarations, procedures and statements, by recursive descent. Expressions: `program/expressions.rs`.
//!
//! The limits turn absurd text into an error before it becomes an absurd tree: traversals of the tree may recurse.

use super::lexer::words;
use super::syntax::{Branch, Expression, Name, Procedure, Program, Statement, StatementKind, ThreadStart};
use super::token::{Keyword, Token, TokenKind};
use super::{ProgramError, Span};

/// How many parentheses, negations, `if`s and `while`s may be open at any place.
pub const MAXIMUM_NESTING: usize = 200;

/// The nesting depth of operators in an expression, at most. A sum of so many terms is as deep.
pub const MAXIMUM_DEPTH: usize = 1_000;

/// The program in a text, or the first thing that is wrong in it.
///
/// # Errors
///
/// If the text is no Boolean program. Names are not checked: see [`crate::flow::lower`].
pub fn parse(text: &str) -> Result<Program, ProgramError> {
    let (tokens, comments) = words(text)?;
    let mut parser = Parser { tokens, position: 0, nesting: 0, free_parenthesis: None };
    let mut globals = Vec::new();
    while parser.at_keyword(Keyword::Decl) {
        globals.push(parser.statement()?);
        while parser.accept_sign(";").is_some() {}
    }
    let mut procedures = Vec::new();
    while parser.peek() != &TokenKind::End {
        if parser.at_keyword(Keyword::Decl) {
            return Err(parser.unexpected("a procedure").with_hint(
                "shared variables are declared before the first procedure, local ones after `begin`",
            ));
        }
        procedures.push(parser.procedure()?);
        while parser.accept_sign(";").is_some() {}
    }
    Ok(Program { globals, procedures, comments })
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    position: usize,
    nesting: usize,
    /// The opening parenthesis of a condition, which does not count as nesting: the printer adds it where it was not.
    free_parenthesis: Option<usize>,
}

impl Parser {
    pub(super) fn peek(&self) -> &TokenKind {
        &self.tokens[self.position].kind
    }

    fn peek_after(&self, distance: usize) -> &TokenKind {
        &self.tokens[(self.position + distance).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.position].span
    }

    /// Passes one word; the end of the text is never passed.
    pub(super) fn next(&mut self) -> Span {
        let span = self.span();
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
        span
    }

    pub(super) fn unexpected(&self, expected: &str) -> ProgramError {
        ProgramError::new(self.span().start, format!("found {}, expected {expected}", self.peek()))
    }

    pub(super) fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(found) if *found == sign)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == &TokenKind::Keyword(keyword)
    }

    pub(super) fn accept_sign(&mut self, sign: &str) -> Option<Span> {
        self.at_sign(sign).then(|| self.next())
    }

    fn accept(&mut self, keyword: Keyword) -> Option<Span> {
        self.at_keyword(keyword).then(|| self.next())
    }

    pub(super) fn expect_sign(&mut self, sign: &str, expected: &str) -> Result<Span, ProgramError> {
        self.accept_sign(sign).ok_or_else(|| self.unexpected(expected))
    }

    fn expect(&mut self, keyword: Keyword, expected: &str) -> Result<Span, ProgramError> {
        self.accept(keyword).ok_or_else(|| self.unexpected(expected))
    }

    /// One level deeper; to be undone by [`Parser::leave`].
    pub(super) fn enter(&mut self) -> Result<(), ProgramError> {
        self.nesting += 1;
        if self.nesting > MAXIMUM_NESTING {
            return Err(ProgramError::new(
                self.span().start,
                format!(
                    "more than {MAXIMUM_NESTING} parentheses, negations, `if`s or `while`s are open here"
                ),
            ));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.nesting -= 1;
    }

    pub(super) fn name(&mut self, expected: &str) -> Result<Name, ProgramError> {
        match self.peek().clone() {
            TokenKind::Name(text) => Ok(Name { text, span: self.next() }),
            TokenKind::Keyword(keyword) => Err(self
                .unexpected(expected)
                .with_hint(format!("`{}` is a word of the language and cannot be a name", keyword.text()))),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn names(&mut self, expected: &str) -> Result<Vec<Name>, ProgramError> {
        let mut names = vec![self.name(expected)?];
        while self.accept_sign(",").is_some() {
            names.push(self.name(expected)?);
        }
        Ok(names)
    }

    /// An expression of which a statement is made, usually in parentheses.
    fn condition(&mut self) -> Result<Expression, ProgramError> {
        self.free_parenthesis = Some(self.position);
        self.expression()
    }

    pub(super) fn at_free_parenthesis(&self) -> bool {
        self.free_parenthesis == Some(self.position)
    }

    fn label(&mut self) -> Result<Name, ProgramError> {
        match self.peek().clone() {
            TokenKind::Number(text) => Ok(Name { text, span: self.next() }),
            _ => self.name("a label"),
        }
    }

    fn procedure(&mut self) -> Result<Procedure, ProgramError> {
        let start = self.span();
        let results = self.result_type()?;
        let name = self.name("the name of a procedure")?;
        if name.text == "thread_local" || name.text == "abortif" {
            return Err(not_supported(&name));
        }
        self.expect_sign("(", "`(` and the parameters")?;
        let parameters = if self.at_sign(")") { Vec::new() } else { self.names("a parameter")? };
        self.expect_sign(")", "`,` or `)`")?;
        let begin = self.expect(Keyword::Begin, "`begin`")?;
        let body = self.block("`end` of the procedure")?;
        let end = self.expect(Keyword::End, "a statement or `end` of the procedure")?;
        Ok(Procedure { name, parameters, results, body, heading: start.to(begin), end })
    }

    /// How many values are returned. BOOM's programs leave the type of `main` out.
    fn result_type(&mut self) -> Result<usize, ProgramError> {
        if self.accept(Keyword::Void).is_some() {
            return Ok(0);
        }
        if self.accept(Keyword::Bool).is_none() {
            return match self.peek() {
                TokenKind::Name(_) => Ok(0),
                _ => Err(self.unexpected("`decl`, `void`, `bool` or the name of a procedure")),
            };
        }
        if self.accept_sign("<").is_none() {
            return Ok(1);
        }
        let place = self.span().start;
        let results = match self.peek().clone() {
            TokenKind::Number(text) => {
                self.next();
                text.parse::<usize>()
                    .ok()
                    .filter(|n| *n <= 100_000)
                    .ok_or_else(|| ProgramError::new(place, "a procedure returns at most 100000 values"))?
            }
            _ => self.names("how many values are returned, or their names")?.len(),
        };
        self.expect_sign(">", "`>`")?;
        Ok(results)
    }

    /// Statements up to a word that ends a block, which is not passed.
    fn block(&mut self, end: &str) -> Result<Vec<Statement>, ProgramError> {
        let mut statements = Vec::new();
        loop {
            while self.accept_sign(";").is_some() {}
            match self.peek() {
                _ if self.at_block_end() => return Ok(statements),
                TokenKind::End => return Err(self.unexpected(&format!("a statement or {end}"))),
                _ => statements.push(self.statement()?),
            }
        }
    }

    /// At a word that ends a block.
    fn at_block_end(&self) -> bool {
        matches!(
            self.peek(),
            TokenKind::Keyword(Keyword::End | Keyword::Fi | Keyword::Else | Keyword::Elsif | Keyword::Od)
        )
    }

    /// At the end of a statement.
    fn at_statement_end(&self) -> bool {
        self.at_sign(";") || self.at_block_end()
    }

    fn statement(&mut self) -> Result<Statement, ProgramError> {
        let start = self.span();
        let mut labels = Vec::new();
        while matches!(self.peek(), TokenKind::Name(_) | TokenKind::Number(_))
            && matches!(self.peek_after(1), TokenKind::Sign(":"))
        {
            labels.push(self.label()?);
            self.next();
        }
        let action = self.span();
        match self.peek() {
            TokenKind::Keyword(Keyword::If) => return self.selection(labels, start),
            TokenKind::Keyword(Keyword::While) => return self.iteration(labels, start),
            _ => {}
        }
        let kind = self.simple_statement()?;
        // SATABS leaves out the semicolon of a last statement.
        let end = match self.at_block_end() {
            true => self.tokens[self.position - 1].span,
            false => self.expect_sign(";", "`;` after the statement")?,
        };
        Ok(Statement { labels, kind, span: start.to(end), action: action.to(end) })
    }

    fn simple_statement(&mut self) -> Result<StatementKind, ProgramError> {
        let keyword = match self.peek().clone() {
            TokenKind::Keyword(keyword) => keyword,
            TokenKind::Name(_) => return self.assignment_or_call(),
            _ => return Err(self.unexpected("a statement")),
        };
        let place = self.span();
        self.next();
        Ok(match keyword {
            Keyword::Skip => StatementKind::Skip,
            Keyword::Decl => {
                let names = self.names("the name of a variable")?;
                if let [only] = names.as_slice()
                    && only.text == "thread_local"
                    && matches!(self.peek(), TokenKind::Name(_))
                {
                    return Err(not_supported(only));
                }
                StatementKind::Declaration(names)
            }
            Keyword::Enforce => StatementKind::Enforce(self.condition()?),
            Keyword::Goto => {
                let mut labels = vec![self.label()?];
                while self.accept_sign(",").is_some() {
                    labels.push(self.label()?);
                }
                StatementKind::Goto(labels)
            }
            Keyword::Return => {
                let values = if self.at_statement_end() { Vec::new() } else { self.expressions()? };
                StatementKind::Return(values)
            }
            Keyword::Assert => StatementKind::Assert(self.condition()?),
            Keyword::Assume => StatementKind::Assume(self.condition()?),
            Keyword::Dead => {
                let names = if self.at_statement_end() { Vec::new() } else { self.names("a variable")? };
                StatementKind::Dead(names)
            }
            Keyword::Print => StatementKind::Print(self.arguments()?),
            Keyword::StartThread => StatementKind::StartThread(self.thread_start()?),
            Keyword::EndThread | Keyword::ThreadEnd => StatementKind::EndThread,
            Keyword::AtomicBegin => StatementKind::AtomicBegin,
            Keyword::AtomicEnd => StatementKind::AtomicEnd,
            _ => {
                return Err(ProgramError::new(
                    place.start,
                    format!("found `{}`, expected a statement", keyword.text()),
                ));
            }
        })
    }

    fn thread_start(&mut self) -> Result<ThreadStart, ProgramError> {
        let goto = self.accept(Keyword::Goto).is_some();
        let target = self.label()?;
        if goto || !self.at_sign("(") {
            return Ok(ThreadStart::Label(target));
        }
        Ok(ThreadStart::Procedure { procedure: target, arguments: self.arguments()? })
    }

    fn assignment_or_call(&mut self) -> Result<StatementKind, ProgramError> {
        if matches!(self.peek_after(1), TokenKind::Sign("(")) {
            let procedure = self.name("a procedure")?;
            return Ok(StatementKind::Call { targets: Vec::new(), procedure, arguments: self.arguments()? });
        }
        let first = self.name("a variable")?;
        if matches!(first.text.as_str(), "sync" | "abortif") && !self.at_sign(",") && !self.at_sign(":=") {
            return Err(not_supported(&first));
        }
        let mut targets = vec![first];
        while self.accept_sign(",").is_some() {
            targets.push(self.name("a variable to assign to")?);
        }
        if targets.len() == 1 && !self.at_sign(":=") {
            return Err(self.unexpected("`:=`, `,`, `:` or `(` after the name"));
        }
        self.expect_sign(":=", "`:=` or `,`")?;
        if matches!(self.peek(), TokenKind::Name(_)) && matches!(self.peek_after(1), TokenKind::Sign("(")) {
            let procedure = self.name("a procedure")?;
            return Ok(StatementKind::Call { targets, procedure, arguments: self.arguments()? });
        }
        let values = self.expressions()?;
        let constrain = match self.accept(Keyword::Constrain) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        Ok(StatementKind::Assignment { targets, values, constrain })
    }

    fn selection(&mut self, labels: Vec<Name>, start: Span) -> Result<Statement, ProgramError> {
        self.enter()?;
        let mut branches = Vec::new();
        let mut heading = self.expect(Keyword::If, "`if`")?;
        loop {
            let condition = self.condition()?;
            let then = self.expect(Keyword::Then, "`then` after the condition")?;
            let body = self.block("`fi`")?;
            branches.push(Branch { condition, body, heading: heading.to(then) });
            match self.accept(Keyword::Elsif) {
                Some(next) => heading = next,
                None => break,
            }
        }
        let otherwise = match self.accept(Keyword::Else) {
            Some(place) => Some((place, self.block("`fi`")?)),
            None => None,
        };
        let expected =
            if otherwise.is_some() { "a statement or `fi`" } else { "a statement, `elsif`, `else` or `fi`" };
        let fi = self.expect(Keyword::Fi, expected)?;
        self.leave();
        let action = branches[0].heading;
        let kind = StatementKind::If { branches, otherwise, fi };
        Ok(Statement { labels, kind, span: start.to(action), action })
    }

    fn iteration(&mut self, labels: Vec<Name>, start: Span) -> Result<Statement, ProgramError> {
        self.enter()?;
        let word = self.expect(Keyword::While, "`while`")?;
        let condition = self.condition()?;
        let action = word.to(self.expect(Keyword::Do, "`do` after the condition")?);
        let body = self.block("`od`")?;
        let od = self.expect(Keyword::Od, "a statement or `od`")?;
        self.leave();
        let kind = StatementKind::While { condition, body, od };
        Ok(Statement { labels, kind, span: start.to(action), action })
    }
}

fn not_supported(name: &Name) -> ProgramError {
    ProgramError::new(name.span.start, format!("`{}` is not supported", name.text))
}
