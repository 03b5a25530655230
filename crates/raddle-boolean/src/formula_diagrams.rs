//! Formulas of a program as decision diagrams.
//!
//! One formula can be as large as a program, and its diagram exponentially larger. So the clock is checked between its
//! operators; a single operator is bounded by the table of nodes alone.

use crate::answer::{Reason, look};
use raddle_bdd::Bdd;
use raddle_bp::flow::Formula;
use raddle_trace::Budget;

/// The diagram of a formula, whose variables, choices and constants are what `leaf` says.
pub(crate) fn diagram(
    formula: &Formula,
    leaf: &impl Fn(&Formula) -> Bdd,
    budget: &Budget,
) -> Result<Bdd, Reason> {
    let of = |part: &Formula| diagram(part, leaf, budget);
    look(budget)?;
    Ok(match formula {
        Formula::Constant(_) | Formula::Now(_) | Formula::Next(_) | Formula::Choice(_) => leaf(formula),
        Formula::Not(a) => of(a)?.not()?,
        Formula::And(a, b) => of(a)?.and(&of(b)?)?,
        Formula::Or(a, b) => of(a)?.or(&of(b)?)?,
        Formula::Equal(a, b) => of(a)?.equal(&of(b)?)?,
        Formula::If(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            of(condition)?.if_then_else(&of(then)?, &of(otherwise)?)?
        }
    })
}
