//! Binary decision diagrams: sets of valuations of Boolean variables, and operations on them.
//!
//! A wrapper of `oxidd` (diagrams with complemented edges, one thread). No type of that library is exposed, so that it can
//! be replaced. Variables are numbers, and their order is their number. There is no reordering.
//!
//! Every operation that may need memory can fail with [`OutOfNodes`]; the result of the analysis is then unknown.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool, OutOfMemory};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef,
    Subst,
};
use std::collections::HashMap;
use std::fmt;

/// The table of nodes is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfNodes;

impl fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BDD node limit exceeded")
    }
}

impl std::error::Error for OutOfNodes {}

impl From<OutOfMemory> for OutOfNodes {
    fn from(_: OutOfMemory) -> OutOfNodes {
        OutOfNodes
    }
}

/// The manager of all nodes. Diagrams that are combined must belong to the same one.
pub struct Diagrams {
    manager: BCDDManagerRef,
    variables: Vec<Bdd>,
}

/// A set of valuations, or a function that is true of them. Equal ones are equal in constant time.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

/// Variables to quantify over.
#[derive(Clone)]
pub struct Variables(BCDDFunction);

/// A simultaneous substitution of variables for variables.
pub struct Renaming(Subst<BCDDFunction>);

impl Diagrams {
    /// With so many variables and at most so many nodes.
    ///
    /// # Errors
    ///
    /// If the node limit is too small for the variables.
    pub fn new(variables: u32, nodes: usize) -> Result<Diagrams, OutOfNodes> {
        let manager = new_manager(nodes, nodes.min(1 << 20), 1);
        let made: AllocResult<Vec<Bdd>> = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables).map(|number| BCDDFunction::var(manager, number).map(Bdd)).collect()
        });
        Ok(Diagrams { manager, variables: made? })
    }

    pub fn constant(&self, value: bool) -> Bdd {
        self.manager.with_manager_shared(|manager| {
            Bdd(if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) })
        })
    }

    /// The function that is the variable's value.
    pub fn variable(&self, number: u32) -> &Bdd {
        &self.variables[number as usize]
    }

    /// The valuations in which each of these variables has its value.
    pub fn cube(&self, values: impl IntoIterator<Item = (u32, bool)>) -> Result<Bdd, OutOfNodes> {
        let mut cube = self.constant(true);
        for (number, value) in values {
            let variable = self.variable(number);
            cube = cube.and(&if value { variable.clone() } else { variable.not()? })?;
        }
        Ok(cube)
    }

    pub fn set(&self, numbers: impl IntoIterator<Item = u32>) -> Result<Variables, OutOfNodes> {
        Ok(Variables(self.cube(numbers.into_iter().map(|number| (number, true)))?.0))
    }

    /// Variables, each given as what it is called and what it will be called.
    pub fn renaming(&self, pairs: impl IntoIterator<Item = (u32, u32)>) -> Renaming {
        let (from, to): (Vec<u32>, Vec<BCDDFunction>) =
            pairs.into_iter().map(|(from, to)| (from, self.variable(to).0.clone())).unzip();
        Renaming(Subst::new(from, to))
    }

    /// How many nodes there are, garbage included.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }
}

impl Bdd {
    pub fn not(&self) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.not()?))
    }

    pub fn and(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.and(&other.0)?))
    }

    pub fn or(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.or(&other.0)?))
    }

    pub fn equal(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.equiv(&other.0)?))
    }

    /// What is in this and not in the other.
    pub fn minus(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(other.0.imp_strict(&self.0)?))
    }

    /// `then` where this holds, else `otherwise`.
    pub fn if_then_else(&self, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.ite(&then.0, &otherwise.0)?))
    }

    pub fn exists(&self, variables: &Variables) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.exists(&variables.0)?))
    }

    /// `self & other`, with the variables quantified on the way.
    pub fn and_exists(&self, other: &Bdd, variables: &Variables) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.apply_exists(BooleanOperator::And, &other.0, &variables.0)?))
    }

    pub fn rename(&self, renaming: &Renaming) -> Result<Bdd, OutOfNodes> {
        Ok(Bdd(self.0.substitute(&renaming.0)?))
    }

    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// Whether all of this is in the other.
    pub fn implies(&self, other: &Bdd) -> Result<bool, OutOfNodes> {
        Ok(self.minus(other)?.is_false())
    }

    /// One of its valuations, by the numbers of the variables; always the same one.
    pub fn some_valuation(&self) -> Option<Vec<bool>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// Whether a valuation, by the numbers of the variables, is in it.
    pub fn contains(&self, valuation: &[bool]) -> bool {
        self.0.eval(valuation.iter().enumerate().map(|(number, value)| (number as u32, *value)))
    }

    /// Which part of all valuations is in it: 1 of the true function, 0.5 of a variable.
    pub fn share(&self) -> f64 {
        #[expect(
            clippy::mutable_key_type,
            reason = "functions are compared by their edge, which does not change"
        )]
        fn share(function: &BCDDFunction, known: &mut HashMap<BCDDFunction, f64>) -> f64 {
            let Some((high, low)) = function.cofactors() else {
                return if function.satisfiable() { 1.0 } else { 0.0 };
            };
            if let Some(value) = known.get(function) {
                return *value;
            }
            let value = (share(&high, known) + share(&low, known)) / 2.0;
            known.insert(function.clone(), value);
            value
        }
        share(&self.0, &mut HashMap::new())
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        self.0.node_count()
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd of {} nodes", self.size())
    }
}
