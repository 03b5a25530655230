//! What the names in a procedure mean, and what is wrong with those that mean nothing.

use super::{Formula, Procedure, ProcedureId, Variable};
use crate::program::{Binary, Expression, ExpressionKind, Name, ProgramError, Statement, StatementKind};
use rustc_hash::FxHashMap;

/// The heading of a procedure, known before any body is lowered.
pub(super) struct Heading {
    pub id: ProcedureId,
    pub parameters: usize,
    pub results: usize,
}

/// What is visible in one procedure, at the statement that is being lowered.
pub(super) struct Scope<'a> {
    pub globals: &'a FxHashMap<&'a str, u32>,
    pub headings: &'a FxHashMap<&'a str, Heading>,
    /// All local variables of the procedure, and whether their declaration has been passed.
    locals: FxHashMap<&'a str, (u32, bool)>,
    /// The choices in the node that is being made.
    pub choices: u32,
}

impl<'a> Scope<'a> {
    pub(super) fn new(
        globals: &'a FxHashMap<&'a str, u32>,
        headings: &'a FxHashMap<&'a str, Heading>,
        parameters: &'a [Name],
        body: &'a [Statement],
        procedure: &mut Procedure,
    ) -> Result<Scope<'a>, ProgramError> {
        let mut scope = Scope { globals, headings, locals: FxHashMap::default(), choices: 0 };
        for name in parameters {
            scope.add_local(name, true, procedure)?;
        }
        scope.collect(body, procedure)?;
        Ok(scope)
    }

    fn collect(&mut self, body: &'a [Statement], procedure: &mut Procedure) -> Result<(), ProgramError> {
        for statement in body {
            match &statement.kind {
                StatementKind::Declaration(names) => {
                    for name in names {
                        self.add_local(name, false, procedure)?;
                    }
                }
                StatementKind::If { branches, otherwise, .. } => {
                    for branch in branches {
                        self.collect(&branch.body, procedure)?;
                    }
                    if let Some((_, body)) = otherwise {
                        self.collect(body, procedure)?;
                    }
                }
                StatementKind::While { body, .. } => self.collect(body, procedure)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn add_local(
        &mut self,
        name: &'a Name,
        declared: bool,
        procedure: &mut Procedure,
    ) -> Result<(), ProgramError> {
        let index = procedure.locals.len() as u32;
        if self.locals.insert(&name.text, (index, declared)).is_some() {
            return Err(ProgramError::new(
                name.span.start,
                format!("`{}` is declared twice in `{}`", name.text, procedure.name),
            ));
        }
        procedure.locals.push(name.text.clone());
        Ok(())
    }

    /// From here on the variable may be used.
    pub(super) fn declare(&mut self, name: &str) {
        if let Some((_, declared)) = self.locals.get_mut(name) {
            *declared = true;
        }
    }

    pub(super) fn variable(&self, name: &Name) -> Result<Variable, ProgramError> {
        match self.locals.get(name.text.as_str()) {
            Some((index, true)) => return Ok(Variable::Local(*index)),
            Some((_, false)) => {
                return Err(ProgramError::new(
                    name.span.start,
                    format!("`{}` is used before its declaration", name.text),
                ));
            }
            None => {}
        }
        if let Some(index) = self.globals.get(name.text.as_str()) {
            return Ok(Variable::Global(*index));
        }
        let error = ProgramError::new(name.span.start, format!("there is no variable `{}`", name.text));
        let passive = name.text.strip_suffix('$');
        if passive.is_some_and(|v| self.locals.contains_key(v) || self.globals.contains_key(v)) {
            return Err(
                error.with_hint("broadcast assignments to a variable of all other threads are not supported")
            );
        }
        Err(error.with_hint(format!("declare it: `decl {};`", name.text)))
    }

    /// Variables to assign to, each at most once; `None` throws the value away.
    pub(super) fn targets(&self, names: &[Name]) -> Result<Vec<Option<Variable>>, ProgramError> {
        let mut targets: Vec<Option<Variable>> = Vec::with_capacity(names.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for name in names {
            let known = self.locals.contains_key("_") || self.globals.contains_key("_");
            if name.text == "_" && !known {
                targets.push(None);
                continue;
            }
            let variable = self.variable(name)?;
            if !seen.insert(variable) {
                return Err(ProgramError::new(
                    name.span.start,
                    format!("`{}` is assigned twice in one statement", name.text),
                ));
            }
            targets.push(Some(variable));
        }
        Ok(targets)
    }

    /// The procedure of that name, called with so many arguments.
    pub(super) fn procedure(&self, name: &Name, arguments: usize) -> Result<&'a Heading, ProgramError> {
        let Some(heading) = self.headings.get(name.text.as_str()) else {
            return Err(ProgramError::new(name.span.start, format!("there is no procedure `{}`", name.text)));
        };
        if heading.parameters != arguments {
            return Err(ProgramError::new(
                name.span.start,
                format!(
                    "`{}` has {} and is called with {arguments}",
                    name.text,
                    counted(heading.parameters, "parameter")
                ),
            ));
        }
        Ok(heading)
    }

    pub(super) fn formulas(&mut self, values: &[Expression]) -> Result<Vec<Formula>, ProgramError> {
        values.iter().map(|value| self.formula(value, false)).collect()
    }

    /// `next` says whether primed variables are allowed.
    pub(super) fn formula(&mut self, value: &Expression, next: bool) -> Result<Formula, ProgramError> {
        let named = |text: &String| Name { text: text.clone(), span: value.span };
        Ok(match &value.kind {
            ExpressionKind::Constant(value) => Formula::Constant(*value),
            ExpressionKind::Variable(name) => Formula::Now(self.variable(&named(name))?),
            ExpressionKind::Primed(name) if next => Formula::Next(self.variable(&named(name))?),
            ExpressionKind::Primed(name) => {
                return Err(ProgramError::new(
                    value.span.start,
                    format!("the primed variable `'{name}` is allowed only after `constrain`"),
                ));
            }
            ExpressionKind::Choice => self.choice(),
            ExpressionKind::Not(operand) => Formula::not(self.formula(operand, next)?),
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.formula(left, next)?;
                let right = self.formula(right, next)?;
                match operator {
                    Binary::Implies => Formula::or(Formula::not(left), right),
                    Binary::Or => Formula::or(left, right),
                    Binary::And => Formula::and(left, right),
                    Binary::Equal => Formula::equal(left, right),
                    Binary::Xor | Binary::Different => Formula::not(Formula::equal(left, right)),
                }
            }
            ExpressionKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                Formula::If(Box::new([
                    self.formula(condition, next)?,
                    self.formula(then, next)?,
                    self.formula(otherwise, next)?,
                ]))
            }
            ExpressionKind::Schoose(parts) => {
                let [positive, negative] = parts.as_ref();
                let positive = self.formula(positive, next)?;
                let negative = Formula::not(self.formula(negative, next)?);
                Formula::or(positive, Formula::and(negative, self.choice()))
            }
        })
    }

    pub(super) fn choice(&mut self) -> Formula {
        self.choices += 1;
        Formula::Choice(self.choices - 1)
    }
}

pub(super) fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("one {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
