//! The path condition of a state: conjuncts about inputs, and what follows from them for other terms by replacement.
//!
//! A conjunct that is a literal makes that literal a constant wherever it occurs; one that is an equation of an input with
//! a constant makes the input one. So a branch that was decided once is decided without a solver from then on.

use std::cell::RefCell;
use std::rc::Rc;

use raddle_solver::{Substitution, Term, Terms, View};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Debug, Default)]
pub struct Facts {
    conjuncts: Rc<Vec<Term>>,
    known: Rc<FxHashMap<Term, Term>>,
    /// Terms that were rewritten with what is known.
    rewritten: Rc<RefCell<Substitution>>,
}

impl Facts {
    pub fn conjuncts(&self) -> &[Term] {
        &self.conjuncts
    }

    pub fn is_empty(&self) -> bool {
        self.conjuncts.is_empty()
    }

    /// A term, given the facts.
    pub fn apply(&self, terms: &mut Terms, term: Term) -> Term {
        if self.known.is_empty() || terms.as_constant(term).is_some() {
            return term;
        }
        terms.replace(term, &mut self.rewritten.borrow_mut())
    }

    /// Adds a condition; what is new becomes constants in the returned map. `None`: it contradicts the facts.
    pub fn add(&mut self, terms: &mut Terms, condition: Term) -> Option<FxHashMap<Term, Term>> {
        let mut new = FxHashMap::default();
        let mut todo = vec![condition];
        while let Some(term) = todo.pop() {
            let term = self.apply(terms, term);
            match term.as_boolean() {
                Some(true) => continue,
                Some(false) => return None,
                None => {}
            }
            let (positive, value) = match terms.view(term) {
                View::And(a, b) => {
                    todo.extend([b, a]);
                    continue;
                }
                View::Not(inner) => (inner, Term::FALSE),
                _ => (term, Term::TRUE),
            };
            Rc::make_mut(&mut self.conjuncts).push(term);
            // Terms were rewritten without what is new.
            let mut rewritten = Substitution::new();
            self.known.iter().for_each(|(from, to)| rewritten.insert(*from, *to));
            let known = Rc::make_mut(&mut self.known);
            let mut learn = |from: Term, to: Term| {
                known.insert(from, to);
                new.insert(from, to);
                rewritten.insert(from, to);
            };
            learn(positive, value);
            if let (View::Equal(a, b), Term::TRUE) = (terms.view(positive), value) {
                for (variable, constant) in [(a, b), (b, a)] {
                    if terms.is_variable(variable) && terms.as_constant(constant).is_some() {
                        learn(variable, constant);
                    }
                }
            }
            self.rewritten = Rc::new(RefCell::new(rewritten));
        }
        Some(new)
    }

    /// The conjuncts that share inputs with the given ones, directly or through others. The rest is satisfiable by itself
    /// (as every path condition that is explored is) and says nothing of what is still to come.
    pub fn relevant(
        &self,
        mut inputs: FxHashSet<Term>,
        mut support: impl FnMut(Term) -> Rc<[Term]>,
    ) -> Vec<Term> {
        let mut rest: Vec<(Term, Rc<[Term]>)> = self.conjuncts.iter().map(|c| (*c, support(*c))).collect();
        let mut out = Vec::new();
        loop {
            let before = rest.len();
            rest.retain(|(conjunct, of)| {
                let shares = of.iter().any(|variable| inputs.contains(variable));
                if shares {
                    inputs.extend(of.iter());
                    out.push(*conjunct);
                }
                !shares
            });
            if rest.len() == before {
                break;
            }
        }
        out.sort_unstable();
        out
    }
}
