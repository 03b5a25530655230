//! The simplex method (Dantzig 1947) over exact fractions, for one form of linear programs: maximise `c·y` where
//! `A·y ≤ b` and `y ≥ 0`, with `b ≥ 0`, so that `y = 0` is a start.
//!
//! The tableau has one sparse row for each basic variable. The entering variable is the one that promises most; after a
//! number of steps without progress, the one with the least index (Bland 1977), which cannot go round in circles. The
//! work is counted in touched entries, so that giving up does not depend on the clock.

use super::rational::{Overflow, Rational};
use std::cmp::Ordering;

/// Steps without progress before Bland's rule.
const PATIENCE: u32 = 200;

/// Columns with their coefficients: sorted, no zeros.
pub type Row = Vec<(u32, Rational)>;

/// A linear program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// How many variables.
    pub variables: u32,
    /// What is to be maximised.
    pub objective: Row,
    /// Left sides and bounds.
    pub constraints: Vec<(Row, Rational)>,
}

/// An optimal solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    pub value: Rational,
    /// One for each variable.
    pub variables: Vec<Rational>,
    /// One for each constraint: what a larger bound would be worth.
    pub prices: Vec<Rational>,
}

/// Why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSolution {
    /// The objective grows without bound.
    Unbounded,
    /// It would take too much work, or numbers that are too large.
    GivenUp,
}

impl From<Overflow> for NoSolution {
    fn from(_: Overflow) -> NoSolution {
        NoSolution::GivenUp
    }
}

/// Maximises. Gives up after touching `work` entries.
pub fn maximise(program: &Program, work: u64) -> Result<Solution, NoSolution> {
    let count = program.constraints.len();
    let mut tableau = Tableau {
        rows: program.constraints.iter().map(|(row, _)| row.clone()).collect(),
        right: program.constraints.iter().map(|(_, bound)| *bound).collect(),
        // The slack of constraint i is variable `variables + i`.
        basic: (0..count as u32).map(|i| program.variables + i).collect(),
        columns: (0..program.variables).collect(),
        objective: program.objective.clone(),
        value: Rational::ZERO,
        work,
    };
    let mut idle = 0;
    while let Some(column) = tableau.entering(idle > PATIENCE)? {
        let row = tableau.leaving(column)?.ok_or(NoSolution::Unbounded)?;
        let before = tableau.value;
        tableau.pivot(row, column)?;
        idle = if tableau.value == before { idle + 1 } else { 0 };
    }
    let mut variables = vec![Rational::ZERO; program.variables as usize];
    for (row, variable) in tableau.basic.iter().enumerate() {
        if *variable < program.variables {
            variables[*variable as usize] = tableau.right[row];
        }
    }
    let mut prices = vec![Rational::ZERO; count];
    for (column, price) in &tableau.objective {
        let variable = tableau.columns[*column as usize];
        if let Some(constraint) = variable.checked_sub(program.variables) {
            prices[constraint as usize] = price.negated()?;
        }
    }
    Ok(Solution { value: tableau.value, variables, prices })
}

/// `basic[i] = right[i] - rows[i]·columns`, `objective = value + objective·columns`.
struct Tableau {
    rows: Vec<Row>,
    right: Vec<Rational>,
    basic: Vec<u32>,
    columns: Vec<u32>,
    objective: Row,
    value: Rational,
    work: u64,
}

impl Tableau {
    fn entering(&self, least_index: bool) -> Result<Option<u32>, Overflow> {
        let mut best: Option<(u32, Rational)> = None;
        for (column, gain) in self.objective.iter().filter(|(_, gain)| gain.is_positive()) {
            let better = match best {
                None => true,
                Some((known, _)) if least_index => {
                    self.columns[*column as usize] < self.columns[known as usize]
                }
                Some((_, known)) => gain.compared(known)? == Ordering::Greater,
            };
            if better {
                best = Some((*column, *gain));
            }
        }
        Ok(best.map(|(column, _)| column))
    }

    /// The row that limits the entering variable; of several, the one with the least variable.
    fn leaving(&self, column: u32) -> Result<Option<usize>, Overflow> {
        let mut best: Option<(usize, Rational)> = None;
        for (row, right) in self.right.iter().enumerate() {
            let coefficient = coefficient(&self.rows[row], column);
            if !coefficient.is_positive() {
                continue;
            }
            let ratio = right.over(coefficient)?;
            let better = match best {
                None => true,
                Some((known, least)) => match ratio.compared(least)? {
                    Ordering::Less => true,
                    Ordering::Equal => self.basic[row] < self.basic[known],
                    Ordering::Greater => false,
                },
            };
            if better {
                best = Some((row, ratio));
            }
        }
        Ok(best.map(|(row, _)| row))
    }

    fn pivot(&mut self, row: usize, column: u32) -> Result<(), NoSolution> {
        let pivot = coefficient(&self.rows[row], column);
        for (at, value) in &mut self.rows[row] {
            *value = if *at == column { Rational::ONE.over(pivot)? } else { value.over(pivot)? };
        }
        self.right[row] = self.right[row].over(pivot)?;
        std::mem::swap(&mut self.basic[row], &mut self.columns[column as usize]);
        let pivot_row = std::mem::take(&mut self.rows[row]);
        let right = self.right[row];
        for other in 0..self.rows.len() {
            let factor = coefficient(&self.rows[other], column);
            if other == row || factor.is_zero() {
                continue;
            }
            self.pay(self.rows[other].len() + pivot_row.len())?;
            self.rows[other] = without(&self.rows[other], factor, &pivot_row, column)?;
            self.right[other] = self.right[other].minus(factor.times(right)?)?;
        }
        let factor = coefficient(&self.objective, column);
        self.pay(self.objective.len() + pivot_row.len() + self.rows.len() / 8)?;
        self.objective = without(&self.objective, factor, &pivot_row, column)?;
        self.value = self.value.plus(factor.times(right)?)?;
        self.rows[row] = pivot_row;
        Ok(())
    }

    fn pay(&mut self, entries: usize) -> Result<(), NoSolution> {
        self.work = self.work.checked_sub(entries as u64).ok_or(NoSolution::GivenUp)?;
        Ok(())
    }
}

fn coefficient(row: &Row, column: u32) -> Rational {
    row.binary_search_by_key(&column, |(c, _)| *c).map_or(Rational::ZERO, |at| row[at].1)
}

/// `row - factor * pivot_row`, where the old entry of the pivot's column does not count: its variable is another one now.
fn without(row: &Row, factor: Rational, pivot_row: &Row, column: u32) -> Result<Row, Overflow> {
    let mut result = Vec::with_capacity(row.len() + pivot_row.len());
    let (mut left, mut right) = (row.iter().peekable(), pivot_row.iter().peekable());
    loop {
        let at = match (left.peek(), right.peek()) {
            (None, None) => return Ok(result),
            (Some((a, _)), None) => *a,
            (None, Some((b, _))) => *b,
            (Some((a, _)), Some((b, _))) => *a.min(b),
        };
        let own = left.next_if(|(a, _)| *a == at).map_or(Rational::ZERO, |(_, value)| *value);
        let own = if at == column { Rational::ZERO } else { own };
        let value = match right.next_if(|(b, _)| *b == at) {
            Some((_, value)) => own.minus(factor.times(*value)?)?,
            None => own,
        };
        if !value.is_zero() {
            result.push((at, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entries: &[i64]) -> Row {
        let all = entries.iter().enumerate().map(|(c, v)| (c as u32, Rational::integer(*v)));
        all.filter(|(_, v)| !v.is_zero()).collect()
    }

    fn program(objective: &[i64], constraints: &[(&[i64], i64)]) -> Program {
        Program {
            variables: objective.len() as u32,
            objective: row(objective),
            constraints: constraints.iter().map(|(r, b)| (row(r), Rational::integer(*b))).collect(),
        }
    }

    fn integers(values: &[Rational]) -> Vec<i128> {
        values.iter().map(|v| if v.denominator() == 1 { v.numerator() } else { i128::MAX }).collect()
    }

    #[test]
    fn a_textbook_program() {
        // 3x + 5y with x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18: 36 at (2, 6); the prices are 0, 3/2 and 1.
        let p = program(&[3, 5], &[(&[1, 0], 4), (&[0, 2], 12), (&[3, 2], 18)]);
        let solution = maximise(&p, 1000).unwrap();
        assert_eq!(integers(&[solution.value]), [36]);
        assert_eq!(integers(&solution.variables), [2, 6]);
        let half = Rational::ONE.over(Rational::integer(2)).unwrap();
        assert_eq!(
            solution.prices,
            [Rational::ZERO, Rational::integer(3).times(half).unwrap(), Rational::ONE]
        );
    }

    #[test]
    fn without_bound() {
        let p = program(&[1, 1], &[(&[1, -1], 1)]);
        assert_eq!(maximise(&p, 1000), Err(NoSolution::Unbounded));
    }

    #[test]
    fn bland_leaves_beales_circle() {
        // Beale 1955, scaled to integers: the greedy rule alone goes round for ever. The optimum is 5.
        let p =
            program(&[3, -80, 2, -24], &[(&[1, -32, -4, 36], 0), (&[1, -24, -1, 6], 0), (&[0, 0, 1, 0], 1)]);
        let solution = maximise(&p, 1_000_000).unwrap();
        assert_eq!(integers(&[solution.value]), [5]);
    }

    #[test]
    fn work_is_limited() {
        let p = program(&[3, 5], &[(&[1, 0], 4), (&[0, 2], 12), (&[3, 2], 18)]);
        assert_eq!(maximise(&p, 3), Err(NoSolution::GivenUp));
    }
}
