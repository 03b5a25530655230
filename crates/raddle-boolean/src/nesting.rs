//! Sequential programs by bounds on the nesting of calls, which grow until no more nesting can matter.
//!
//! Basler 2010, §4.4. Procedures that call each other are unrolled so that at most one, two, three, ... of their calls
//! are one inside the other; deeper ways are blocked. An error within the bound is an error. That a bound is enough is
//! what theorem 4.5 is about: if a call has the same entry and exit as one inside of which it is, the outer one can be
//! left out in favour of the inner one. So if no nest of `n` calls exists in which all differ, every summary has a
//! derivation with fewer than `n` calls one inside the other, and those have been seen.
//!
//! How the theorem is read here: entry and exit are what the callee is entered with and hands back; the thesis also
//! counts the caller's variables, which only makes the bound larger. Only one chain of nested calls is required to
//! differ, not all that a path has; a bound so found is no smaller. Calls that never return because an error happens
//! inside are nested, too, and the theorem does not cover them; here an error is an exit value, and they are calls
//! like the others.
//!
//! The bound is finite but useless as soon as there are many entries and exits: a procedure that may change three
//! variables in any way has chains of 64 different calls. So where the query is hard, or the bound is above
//! [`NestingConfig::theorem`], the query is instead whether the last bound brought anything new (one alternation of
//! quantifiers, as in [`crate::universal`]); the counts say which one ended it.

mod chain;

use crate::answer::{Answer, Reason};
use crate::symbolic::error_query::ask;
use crate::symbolic::order::{calls_bottom_up, is_recursive};
use crate::symbolic::retrace::NoRun;
use crate::symbolic::summary::{Source, Summary};
use crate::symbolic::{QueryCounts, Simulation, SymbolicConfig};
use raddle_bp::flow::{Flow, Operation, ProcedureId};
use raddle_trace::Budget;
use std::rc::Rc;

/// What bounds the search.
#[derive(Clone, Debug)]
pub struct NestingConfig {
    pub symbolic: SymbolicConfig,
    /// Up to which bound only the theorem is used.
    pub theorem: usize,
    /// Whether anything but the theorem is used at all.
    pub exact: bool,
}

impl Default for NestingConfig {
    fn default() -> NestingConfig {
        NestingConfig { symbolic: SymbolicConfig::default(), theorem: 4, exact: true }
    }
}

/// How groups of procedures that call each other came to their end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ended {
    pub by_theorem: usize,
    pub by_fixpoint: usize,
    /// The largest bound.
    pub bound: usize,
}

/// A group of procedures that call each other, or one that does not.
struct Group {
    procedures: Vec<usize>,
    recursive: bool,
    /// The bound so far.
    bound: usize,
    /// By bound from 1 on, and by procedure: its body.
    bodies: Vec<Vec<usize>>,
    finished: bool,
}

/// Checks a program as one thread.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &NestingConfig, budget: &Budget) -> Answer {
    check_counting(flow, error_label, config, budget).0
}

/// The same, the number of queries to the solvers, and how it ended.
pub fn check_counting(
    flow: &Flow,
    error_label: Option<&str>,
    config: &NestingConfig,
    budget: &Budget,
) -> (Answer, QueryCounts, Ended) {
    let mut ended = Ended::default();
    let (answer, asked) =
        ask(flow, error_label, &config.symbolic, budget, |simulation| decide(simulation, config, &mut ended));
    (answer, asked, ended)
}

fn decide(
    simulation: &mut Simulation<'_>,
    config: &NestingConfig,
    ended: &mut Ended,
) -> Result<Answer, Reason> {
    let flow = simulation.flow;
    let mut summaries: Vec<Rc<Summary>> = flow.enumerate().map(|(id, _)| simulation.nothing(id)).collect();
    let mut groups: Vec<Group> = calls_bottom_up(flow)
        .into_iter()
        .map(|procedures| Group {
            recursive: is_recursive(flow, &procedures),
            procedures,
            bound: 0,
            bodies: Vec::new(),
            finished: false,
        })
        .collect();
    loop {
        for number in 0..groups.len() {
            if groups[number].finished {
                continue;
            }
            let final_below =
                groups[..number].iter().all(|below| below.finished || !calls(flow, &groups[number], below));
            let group = &mut groups[number];
            let made = another(simulation, group, &summaries, final_below)?;
            let old: Vec<Rc<Summary>> = group
                .procedures
                .iter()
                .zip(made)
                .map(|(index, new)| std::mem::replace(&mut summaries[*index], new))
                .collect();
            if final_below {
                group.finished =
                    !group.recursive || is_enough(simulation, group, &summaries, &old, config, ended)?;
                ended.bound = ended.bound.max(if group.recursive { group.bound } else { 0 });
            }
        }
        if let Some(body) = simulation.erroneous(&summaries[flow.main.0 as usize])? {
            return match simulation.retrace(body) {
                Ok(run) => Ok(Answer::Violated(Box::new(run))),
                Err(NoRun::Because(reason)) => Err(reason),
                Err(NoRun::Anything(_)) => unreachable!("every procedure was unrolled"),
            };
        }
        if groups.iter().all(|group| group.finished) {
            return Ok(Answer::Safe { cut: Vec::new() });
        }
    }
}

fn calls(flow: &Flow, one: &Group, other: &Group) -> bool {
    let nodes = one.procedures.iter().flat_map(|index| &flow.procedures[*index].nodes);
    nodes.into_iter().any(|node| match &node.operation {
        Operation::Call { procedure, .. } => other.procedures.contains(&(procedure.0 as usize)),
        _ => false,
    })
}

/// Unrolls the procedures of a group once more, each with what the bound before allowed. When what is below has just
/// become final, bounds are counted anew: the theorem is about derivations from nothing.
fn another(
    simulation: &mut Simulation<'_>,
    group: &mut Group,
    summaries: &[Rc<Summary>],
    final_below: bool,
) -> Result<Vec<Rc<Summary>>, Reason> {
    let mut known = summaries.to_vec();
    if group.bodies.is_empty() && final_below {
        for index in &group.procedures {
            known[*index] = simulation.nothing(ProcedureId(*index as u32));
        }
    }
    let mut made = Vec::new();
    for index in &group.procedures {
        made.push(simulation.unroll(ProcedureId(*index as u32), &|callee| known[callee.0 as usize].clone())?);
    }
    if final_below {
        let number = |summary: &Rc<Summary>| match summary.source {
            Source::Body(number) => number,
            _ => unreachable!("just unrolled"),
        };
        group.bodies.push(made.iter().map(number).collect());
        group.bound += 1;
    }
    Ok(made)
}

/// Whether no larger bound brings more.
fn is_enough(
    simulation: &mut Simulation<'_>,
    group: &Group,
    summaries: &[Rc<Summary>],
    old: &[Rc<Summary>],
    config: &NestingConfig,
    ended: &mut Ended,
) -> Result<bool, Reason> {
    let conflicts = config.exact.then_some(chain::CONFLICTS);
    if group.bound <= config.theorem || !config.exact {
        match chain::exists(simulation, group, conflicts)? {
            Some(false) => {
                ended.by_theorem += 1;
                return Ok(true);
            }
            Some(true) => return Ok(false),
            None => {}
        }
    }
    for (index, old) in group.procedures.iter().zip(old) {
        if group.bound == 1 || !simulation.is_within(&summaries[*index], old)? {
            return Ok(false);
        }
    }
    ended.by_fixpoint += 1;
    Ok(true)
}
