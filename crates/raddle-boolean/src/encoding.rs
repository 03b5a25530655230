//! The variables of a Boolean program as variables of decision diagrams.
//!
//! Each variable has several copies, which are adjacent in the order: what a step or a call relates is related to
//! neighbours. The order of the variables themselves is that of `variable_order`, or of their declaration. Choices
//! come last. A local variable is identified by its index alone, so that procedures share them.

use crate::answer::Reason;
use crate::formula_diagrams::diagram;
use crate::variable_order::numbers;
use raddle_bdd::{Bdd, Diagrams, OutOfNodes, Renaming, Variables};
use raddle_bp::flow::{Flow, Formula, Operation, Variable};
use raddle_trace::Budget;

/// Which moment a variable's value belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// When the procedure was entered; of local variables only parameters have one.
    Entry,
    Now,
    /// After the step or the call.
    Next,
    /// What a call hands over; only locals, one for each parameter of the callee.
    Argument,
    /// What a call hands back; only locals, one for each result.
    Result,
}

const GLOBAL_COPIES: u32 = 3;
const LOCAL_COPIES: u32 = 5;

pub(crate) struct Encoding {
    pub diagrams: Diagrams,
    pub globals: u32,
    /// The most locals or results that a procedure has.
    pub width: u32,
    choices: u32,
    all_choices: Variables,
    /// By variable, shared ones first: the number of its first copy.
    first: Vec<u32>,
    /// When to stop.
    pub budget: Budget,
}

impl Encoding {
    /// With at most so many nodes; `ordered` by dependencies, or as declared.
    pub(crate) fn new(
        flow: &Flow,
        nodes: usize,
        ordered: bool,
        budget: &Budget,
    ) -> Result<Encoding, OutOfNodes> {
        let globals = flow.globals.len() as u32;
        let width = flow.procedures.iter().map(|p| p.locals.len().max(p.results)).max().unwrap_or(0) as u32;
        let all = flow.procedures.iter().flat_map(|procedure| &procedure.nodes);
        let choices = all.map(|node| node.choices).max().unwrap_or(0);
        let before = globals * GLOBAL_COPIES + width * LOCAL_COPIES;
        let diagrams = Diagrams::new(before + choices, nodes)?;
        let all_choices = diagrams.set(before..before + choices)?;
        let first = numbers(flow, width, ordered, (GLOBAL_COPIES, LOCAL_COPIES));
        Ok(Encoding { diagrams, globals, width, choices: before, all_choices, first, budget: budget.clone() })
    }

    /// The number of a copy of a variable.
    pub(crate) fn number(&self, variable: Variable, moment: Moment) -> u32 {
        match variable {
            Variable::Global(index) => self.first[index as usize] + moment as u32,
            Variable::Local(index) => self.first[(self.globals + index) as usize] + moment as u32,
        }
    }

    pub(crate) fn choice(&self, number: u32) -> u32 {
        self.choices + number
    }

    pub(crate) fn value(&self, variable: Variable, moment: Moment) -> &Bdd {
        self.diagrams.variable(self.number(variable, moment))
    }

    pub(crate) fn all_globals(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.globals).map(Variable::Global)
    }

    pub(crate) fn all_locals(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.width).map(Variable::Local)
    }

    pub(crate) fn set(
        &self,
        variables: impl IntoIterator<Item = (Variable, Moment)>,
    ) -> Result<Variables, OutOfNodes> {
        self.diagrams.set(variables.into_iter().map(|(variable, moment)| self.number(variable, moment)))
    }

    pub(crate) fn renaming(&self, pairs: impl IntoIterator<Item = (Variable, Moment, Moment)>) -> Renaming {
        let numbers = pairs
            .into_iter()
            .map(|(variable, from, to)| (self.number(variable, from), self.number(variable, to)));
        self.diagrams.renaming(numbers)
    }

    /// The states in which copies of variables have these values.
    pub(crate) fn cube(
        &self,
        values: impl IntoIterator<Item = (Variable, Moment, bool)>,
    ) -> Result<Bdd, OutOfNodes> {
        let values = values.into_iter();
        self.diagrams.cube(values.map(|(variable, moment, value)| (self.number(variable, moment), value)))
    }

    /// The formula over [`Moment::Now`] and choices; [`Formula::Next`] is read at `next`.
    pub(crate) fn formula(
        &self,
        formula: &Formula,
        next: &impl Fn(Variable) -> Moment,
    ) -> Result<Bdd, Reason> {
        let leaf = |leaf: &Formula| match leaf {
            Formula::Constant(value) => self.diagrams.constant(*value),
            Formula::Now(variable) => self.value(*variable, Moment::Now).clone(),
            Formula::Next(variable) => self.value(*variable, next(*variable)).clone(),
            Formula::Choice(number) => self.diagrams.variable(self.choice(*number)).clone(),
            _ => unreachable!("an operator is not a leaf"),
        };
        diagram(formula, &leaf, &self.budget)
    }

    /// What an assignment relates: its targets at [`Moment::Next`] to the state now. Each choice occurs in one formula
    /// only, so it is quantified there, before anything is put together: together they would interfere
    /// (the thesis normalises assignments to the same end, §10.8).
    pub(crate) fn assignment(&self, operation: &Operation) -> Result<Bdd, Reason> {
        let Operation::Assign { targets, values, constrain } = operation else {
            unreachable!("asked only of assignments")
        };
        let next = |variable| if targets.contains(&variable) { Moment::Next } else { Moment::Now };
        let mut relation = self.diagrams.constant(true);
        for (target, value) in targets.iter().zip(values) {
            let value = self.formula(value, &next)?;
            let same = self.value(*target, Moment::Next).equal(&value)?;
            relation = relation.and(&self.choose(&same)?)?;
        }
        if let Some(condition) = constrain {
            relation = relation.and(&self.choose(&self.formula(condition, &next)?)?)?;
        }
        Ok(relation)
    }

    /// The first local variables at a moment, as the values of formulas, without their choices.
    pub(crate) fn binding(&self, values: &[Formula], moment: Moment) -> Result<Bdd, Reason> {
        let mut relation = self.diagrams.constant(true);
        for (index, value) in values.iter().enumerate() {
            let value = self.formula(value, &|_| Moment::Now)?;
            let bound = self.value(Variable::Local(index as u32), moment).equal(&value)?;
            relation = relation.and(&self.choose(&bound)?)?;
        }
        Ok(relation)
    }

    /// Without the choices.
    pub(crate) fn choose(&self, relation: &Bdd) -> Result<Bdd, OutOfNodes> {
        relation.exists(&self.all_choices)
    }
}
