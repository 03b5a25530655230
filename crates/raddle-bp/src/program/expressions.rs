//! Words to expressions, by precedence climbing.

use super::parser::{MAXIMUM_DEPTH, Parser};
use super::syntax::{Binary, Expression, ExpressionKind};
use super::token::{Keyword, TokenKind};
use super::{ProgramError, Span};

/// An expression and the nesting depth of its operators.
struct Sized {
    expression: Expression,
    depth: usize,
}

impl Parser {
    pub(super) fn expression(&mut self) -> Result<Expression, ProgramError> {
        Ok(self.conditional()?.expression)
    }

    pub(super) fn expressions(&mut self) -> Result<Vec<Expression>, ProgramError> {
        let mut expressions = vec![self.expression()?];
        while self.accept_sign(",").is_some() {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    /// `(a, b)` or `()`.
    pub(super) fn arguments(&mut self) -> Result<Vec<Expression>, ProgramError> {
        self.expect_sign("(", "`(`")?;
        let arguments = if self.at_sign(")") { Vec::new() } else { self.expressions()? };
        self.expect_sign(")", "an operator, `,` or `)`")?;
        Ok(arguments)
    }

    fn conditional(&mut self) -> Result<Sized, ProgramError> {
        let condition = self.binary(1)?;
        if self.accept_sign("?").is_none() {
            return Ok(condition);
        }
        self.enter()?;
        let then = self.conditional()?;
        self.expect_sign(":", "an operator or `:`")?;
        let otherwise = self.binary(1)?;
        self.leave();
        if self.at_sign("?") {
            return Err(self
                .unexpected("no second `?`")
                .with_hint("tools group `a ? b : c ? d : e` differently: add parentheses"));
        }
        let depth = condition.depth.max(then.depth).max(otherwise.depth);
        let span = condition.expression.span.to(otherwise.expression.span);
        let parts = [condition.expression, then.expression, otherwise.expression];
        self.sized(ExpressionKind::Conditional(Box::new(parts)), span, depth)
    }

    /// Operators that bind at least so tightly.
    fn binary(&mut self, least: u8) -> Result<Sized, ProgramError> {
        let mut left = self.unary()?;
        let mut after_implication = false;
        loop {
            let TokenKind::Sign(sign) = *self.peek() else { return Ok(left) };
            let Some(operator) = operator(sign).filter(|operator| operator.strength() >= least) else {
                return Ok(left);
            };
            if after_implication && operator.strength() == Binary::Implies.strength() {
                return Err(self
                    .unexpected("no `=>` or `|` after an implication")
                    .with_hint("tools group `a => b | c` differently: add parentheses"));
            }
            self.next();
            let right = self.binary(operator.strength() + 1)?;
            let span = left.expression.span.to(right.expression.span);
            let depth = left.depth.max(right.depth);
            let (a, b) = (Box::new(left.expression), Box::new(right.expression));
            left = self.sized(ExpressionKind::Binary(operator, a, b), span, depth)?;
            after_implication = operator == Binary::Implies;
        }
    }

    fn unary(&mut self) -> Result<Sized, ProgramError> {
        let Some(start) = self.accept_sign("!") else { return self.primary() };
        self.enter()?;
        let operand = self.unary()?;
        self.leave();
        let span = start.to(operand.expression.span);
        self.sized(ExpressionKind::Not(Box::new(operand.expression)), span, operand.depth)
    }

    fn primary(&mut self) -> Result<Sized, ProgramError> {
        let span = self.span();
        let leaf = |kind| Ok(Sized { expression: Expression { kind, span }, depth: 0 });
        match self.peek().clone() {
            TokenKind::Keyword(Keyword::True | Keyword::ShortTrue) => {
                self.next();
                leaf(ExpressionKind::Constant(true))
            }
            TokenKind::Keyword(Keyword::False | Keyword::ShortFalse) => {
                self.next();
                leaf(ExpressionKind::Constant(false))
            }
            TokenKind::Number(text) if text == "0" || text == "1" => {
                self.next();
                leaf(ExpressionKind::Constant(text == "1"))
            }
            TokenKind::Number(_) => Err(self.unexpected("`0` or `1`: there are no other numbers")),
            TokenKind::Keyword(Keyword::Schoose) => self.schoose(),
            TokenKind::Name(_) => {
                let name = self.name("a variable")?;
                let (kind, end) = match self.accept_sign("'") {
                    Some(end) => (ExpressionKind::Primed(name.text), end),
                    None if self.at_sign("(") => {
                        return Err(self
                            .unexpected("an operator or the end of the expression")
                            .with_hint("a call is a statement of its own: `x := f();`"));
                    }
                    None => (ExpressionKind::Variable(name.text), span),
                };
                Ok(Sized { expression: Expression { kind, span: span.to(end) }, depth: 0 })
            }
            TokenKind::Sign("'") => {
                self.next();
                let name = self.name("a variable after `'`")?;
                let kind = ExpressionKind::Primed(name.text);
                Ok(Sized { expression: Expression { kind, span: span.to(name.span) }, depth: 0 })
            }
            TokenKind::Sign("*") => {
                self.next();
                leaf(ExpressionKind::Choice)
            }
            TokenKind::Sign("(") => {
                let counts = !self.at_free_parenthesis();
                self.next();
                if counts {
                    self.enter()?;
                }
                let inside = self.conditional()?;
                if counts {
                    self.leave();
                }
                self.expect_sign(")", "an operator or `)`")?;
                Ok(inside)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn schoose(&mut self) -> Result<Sized, ProgramError> {
        let start = self.next();
        self.enter()?;
        self.expect_sign("[", "`[`")?;
        let positive = self.conditional()?;
        self.expect_sign(",", "an operator or `,`")?;
        let negative = self.conditional()?;
        let end = self.expect_sign("]", "an operator or `]`")?;
        self.leave();
        let depth = positive.depth.max(negative.depth);
        let parts = [positive.expression, negative.expression];
        self.sized(ExpressionKind::Schoose(Box::new(parts)), start.to(end), depth)
    }

    fn sized(&self, kind: ExpressionKind, span: Span, below: usize) -> Result<Sized, ProgramError> {
        let depth = below + 1;
        if depth > MAXIMUM_DEPTH {
            return Err(ProgramError::new(
                span.start,
                format!("the expression that starts here has more than {MAXIMUM_DEPTH} nested operators"),
            ));
        }
        Ok(Sized { expression: Expression { kind, span }, depth })
    }
}

fn operator(sign: &str) -> Option<Binary> {
    Some(match sign {
        "=>" => Binary::Implies,
        "|" => Binary::Or,
        "^" => Binary::Xor,
        "&" => Binary::And,
        "=" => Binary::Equal,
        "!=" => Binary::Different,
        _ => return None,
    })
}
