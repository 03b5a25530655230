//! Certificates as text, a line a fact, so that another program can check them.
//!
//! ```text
//! raddle certificate 1
//! nodes 4
//! write 0                          the next write is in node 0
//! fixed 0 1                        node 0 comes before node 1
//! edge 5 1 2                       where literal 5 holds
//! reads 6 0 3                      where 6 holds, node 3 reads from write 0
//! coherence 7 0 2                  where 7 holds, node 2 has a later write than write 0
//! assume 8 -9
//! o 1 5 -6 0                       original clause number 1
//! l 2 -5 -7 0 1 2 e 5 2 1 f 3 1 r 6 7 0      lemma number 2: a cycle of edges (from, to, cause)
//! d 3 -5 0 1 2                     clause number 3, derived from 1 and 2 in this order
//! x 1                              clause 1 is not used any more
//! conclude 3
//! ```

use std::fmt::Write;

use super::{Certificate, CycleEdge, EdgeCause, Step};
use crate::ordering::{Constraint, NodeId, WriteId};

const HEADER: &str = "raddle certificate 1";

impl Certificate {
    pub fn to_text(&self) -> String {
        let mut out = format!("{HEADER}\nnodes {}\n", self.nodes);
        for write in &self.writes {
            let _ = writeln!(out, "write {}", write.index());
        }
        for constraint in &self.constraints {
            let _ = match constraint {
                Constraint::Fixed { from, to } => writeln!(out, "fixed {} {}", from.index(), to.index()),
                Constraint::Edge { when, from, to } => {
                    writeln!(out, "edge {when} {} {}", from.index(), to.index())
                }
                Constraint::ReadsFrom { when, write, reader } => {
                    writeln!(out, "reads {when} {} {}", write.index(), reader.index())
                }
                Constraint::Coherence { when, write, later } => {
                    writeln!(out, "coherence {when} {} {}", write.index(), later.index())
                }
            };
        }
        if !self.assumptions.is_empty() {
            let _ = writeln!(out, "assume{}", joined(&self.assumptions));
        }
        for step in &self.steps {
            let _ = match step {
                Step::Original { id, clause } => writeln!(out, "o {id}{} 0", joined(clause)),
                Step::Lemma { id, clause, cycle } => {
                    let _ = write!(out, "l {id}{} 0", joined(clause));
                    for CycleEdge { from, to, cause } in cycle {
                        let _ = write!(out, " {} {}", from.index(), to.index());
                        let _ = match cause {
                            EdgeCause::Fixed => write!(out, " f"),
                            EdgeCause::Literal(literal) => write!(out, " e {literal}"),
                            EdgeCause::FromRead { reads_from, coherence, write } => {
                                write!(out, " r {reads_from} {coherence} {}", write.index())
                            }
                        };
                    }
                    writeln!(out)
                }
                Step::Derived { id, clause, antecedents } => {
                    writeln!(out, "d {id}{} 0{}", joined(clause), joined(antecedents))
                }
                Step::Delete { id } => writeln!(out, "x {id}"),
            };
        }
        let _ = writeln!(out, "conclude {}", self.conclusion);
        out
    }

    /// Reads what [`to_text`](Certificate::to_text) wrote; else the line that is wrong.
    pub fn from_text(text: &str) -> Result<Certificate, usize> {
        let mut out = Certificate {
            nodes: 0,
            writes: Vec::new(),
            constraints: Vec::new(),
            steps: Vec::new(),
            assumptions: Vec::new(),
            conclusion: 0,
        };
        let mut concluded = false;
        for (number, line) in text.lines().enumerate() {
            let fine = match number {
                0 => line == HEADER,
                _ => read_line(line, &mut out, &mut concluded).is_some(),
            };
            if !fine {
                return Err(number + 1);
            }
        }
        if concluded { Ok(out) } else { Err(text.lines().count() + 1) }
    }
}

fn joined<N: std::fmt::Display>(numbers: &[N]) -> String {
    numbers.iter().fold(String::new(), |mut all, number| {
        let _ = write!(all, " {number}");
        all
    })
}

fn read_line(line: &str, out: &mut Certificate, concluded: &mut bool) -> Option<()> {
    let mut words = line.split(' ');
    let kind = words.next()?;
    fn next<'a, N: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<N> {
        words.next()?.parse().ok()
    }
    fn clause<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Vec<i32>> {
        let mut literals = Vec::new();
        loop {
            match next(words)? {
                0 => return Some(literals),
                literal => literals.push(literal),
            }
        }
    }
    let w = &mut words;
    match kind {
        "nodes" => out.nodes = next(w)?,
        "write" => out.writes.push(NodeId::new(next(w)?)),
        "fixed" => {
            let (from, to) = (NodeId::new(next(w)?), NodeId::new(next(w)?));
            out.constraints.push(Constraint::Fixed { from, to });
        }
        "edge" => {
            let (when, from, to) = (next(w)?, NodeId::new(next(w)?), NodeId::new(next(w)?));
            out.constraints.push(Constraint::Edge { when, from, to });
        }
        "reads" => {
            let (when, write, reader) = (next(w)?, WriteId::new(next(w)?), NodeId::new(next(w)?));
            out.constraints.push(Constraint::ReadsFrom { when, write, reader });
        }
        "coherence" => {
            let (when, write, later) = (next(w)?, WriteId::new(next(w)?), NodeId::new(next(w)?));
            out.constraints.push(Constraint::Coherence { when, write, later });
        }
        "assume" => out.assumptions = w.by_ref().map(|word| word.parse().ok()).collect::<Option<_>>()?,
        "o" => out.steps.push(Step::Original { id: next(w)?, clause: clause(w)? }),
        "d" => {
            let (id, clause) = (next(w)?, clause(w)?);
            let antecedents = w.by_ref().map(|word| word.parse().ok()).collect::<Option<_>>()?;
            out.steps.push(Step::Derived { id, clause, antecedents });
        }
        "l" => {
            let (id, clause) = (next(w)?, clause(w)?);
            let mut cycle = Vec::new();
            while let Some(from) = w.next() {
                let (from, to) = (NodeId::new(from.parse().ok()?), NodeId::new(next(w)?));
                let cause = match w.next()? {
                    "f" => EdgeCause::Fixed,
                    "e" => EdgeCause::Literal(next(w)?),
                    "r" => {
                        let (reads_from, coherence) = (next(w)?, next(w)?);
                        EdgeCause::FromRead { reads_from, coherence, write: WriteId::new(next(w)?) }
                    }
                    _ => return None,
                };
                cycle.push(CycleEdge { from, to, cause });
            }
            out.steps.push(Step::Lemma { id, clause, cycle });
        }
        "x" => out.steps.push(Step::Delete { id: next(w)? }),
        "conclude" => {
            out.conclusion = next(w)?;
            *concluded = true;
        }
        _ => return None,
    }
    words.next().is_none().then_some(())
}
