//! Atomicities and their algebra: sequential composition, join, iteration.
//!
//! Flanagan and Qadeer, *A type and effect system for atomicity* (PLDI 2003), after Lipton, *Reduction: a method of proving
//! properties of parallel programs* (1975): a sequence of steps is atomic if it consists of right movers, at most one step
//! that moves neither way, and left movers, in this order.
//!
//! Here an atomicity is not one of their constants but the effect that the steps have on the *phase* of such a sequence: a
//! monotone map of phases. Composition is composition of maps and join is their maximum, so both are associative and
//! composition distributes over joins by construction; the table of the paper follows and is a test below. The constants are
//! names of some maps ([`Kind`]).
//!
//! One phase is ours. The steps of an atomic section (the user's, or a kernel section of a library model) are one step of the
//! run: what they do beside each other breaks nothing ([`Phase::Within`]) until the section ends. So a function that is one
//! atomic section is atomic whatever it contains, also where the section begins or ends in a function that it calls.

use std::fmt;

/// How far a sequence of steps has come in the pattern right movers, one step, left movers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Only right movers so far.
    Before,
    /// A step that is no right mover was made, in the atomic section that is still open.
    Within,
    /// The same, and no section is open that began before it.
    After,
    /// The pattern is broken: another thread may come between two steps, and see the first and change what the second sees.
    Broken,
}

use Phase::*;

/// What some steps do to each phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atomicity {
    before: Phase,
    within: Phase,
    after: Phase,
    /// There are steps at all.
    steps: bool,
    /// A locking rule of the program is broken.
    error: bool,
}

/// The constants of the paper, and the one-sided movers of its argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Const,
    BothMover,
    RightMover,
    LeftMover,
    Atomic,
    Compound,
    Error,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Const => "const",
            Kind::BothMover => "both-mover",
            Kind::RightMover => "right mover",
            Kind::LeftMover => "left mover",
            Kind::Atomic => "atomic",
            Kind::Compound => "compound",
            Kind::Error => "error",
        }
    }

    /// Whether a call of this kind can be moved together into one step.
    pub fn is_atomic(self) -> bool {
        self <= Kind::Atomic
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Atomicity {
    /// No step.
    pub const CONST: Atomicity =
        Atomicity { before: Before, within: Within, after: After, steps: false, error: false };

    /// A step of a kind, outside of all atomic sections or inside one.
    pub fn step(kind: Kind, inside: bool) -> Atomicity {
        let committed = if inside { Within } else { After };
        // Where a section would be open that is not, it counts as closed.
        let open = |closed: Phase| if inside { Within } else { closed };
        let (before, after) = match kind {
            Kind::Const => return Atomicity::CONST,
            Kind::BothMover => (Before, After),
            Kind::RightMover => (Before, Broken),
            Kind::LeftMover => (committed, After),
            Kind::Atomic => (committed, Broken),
            Kind::Compound | Kind::Error => {
                // Also inside a section: a compound step is more than the section keeps together.
                let error = kind == Kind::Error;
                return Atomicity { before: Broken, within: Broken, after: Broken, steps: true, error };
            }
        };
        let within = match kind {
            Kind::BothMover => Within,
            _ => open(after),
        };
        Atomicity { before, within, after, steps: true, error: false }
    }

    /// The end of the outermost atomic section.
    pub fn section_end() -> Atomicity {
        Atomicity { within: After, ..Atomicity::CONST }
    }

    fn of(self, phase: Phase) -> Phase {
        match phase {
            Before => self.before,
            Within => self.within,
            After => self.after,
            Broken => Broken,
        }
    }

    /// The phase in which the steps leave a sequence that they begin.
    pub fn at_start(self) -> Phase {
        self.before
    }

    /// The phase in which they leave a sequence that has had its one step.
    pub fn once_committed(self) -> Phase {
        self.after
    }

    /// First these steps, then the others.
    #[must_use]
    pub fn then(self, next: Atomicity) -> Atomicity {
        Atomicity {
            before: next.of(self.before),
            within: next.of(self.within),
            after: next.of(self.after),
            steps: self.steps || next.steps,
            error: self.error || next.error,
        }
    }

    /// Either.
    #[must_use]
    pub fn or(self, other: Atomicity) -> Atomicity {
        Atomicity {
            before: self.before.max(other.before),
            within: self.within.max(other.within),
            after: self.after.max(other.after),
            steps: self.steps || other.steps,
            error: self.error || other.error,
        }
    }

    /// Any number of times. Inference has no use for it: it iterates over flow graphs.
    #[cfg(test)]
    fn repeated(self) -> Atomicity {
        let mut all = Atomicity::CONST;
        loop {
            let more = all.or(all.then(self));
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// The least constant that covers it.
    pub fn kind(self) -> Kind {
        match (self.before, self.after) {
            _ if self.error => Kind::Error,
            (Broken, _) => Kind::Compound,
            (Before, After) if !self.steps => Kind::Const,
            (Before, After) => Kind::BothMover,
            (Before, _) => Kind::RightMover,
            (_, After) => Kind::LeftMover,
            _ => Kind::Atomic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 6] =
        [Kind::Const, Kind::BothMover, Kind::RightMover, Kind::LeftMover, Kind::Atomic, Kind::Compound];

    fn step(kind: Kind) -> Atomicity {
        Atomicity::step(kind, false)
    }

    /// Flanagan and Qadeer, figure 2, extended by the one-sided movers.
    #[test]
    fn sequential_composition() {
        use Kind::*;
        let table = [
            [Const, BothMover, RightMover, LeftMover, Atomic, Compound],
            [BothMover, BothMover, RightMover, LeftMover, Atomic, Compound],
            [RightMover, RightMover, RightMover, Atomic, Atomic, Compound],
            [LeftMover, LeftMover, Compound, LeftMover, Compound, Compound],
            [Atomic, Atomic, Compound, Atomic, Compound, Compound],
            [Compound; 6],
        ];
        for (i, a) in KINDS.into_iter().enumerate() {
            for (j, b) in KINDS.into_iter().enumerate() {
                assert_eq!(step(a).then(step(b)).kind(), table[i][j], "{a}; {b}");
            }
        }
    }

    #[test]
    fn joins_and_iteration() {
        use Kind::*;
        assert_eq!(step(RightMover).or(step(LeftMover)).kind(), Atomic);
        assert_eq!(step(Const).or(step(BothMover)).kind(), BothMover);
        for kind in KINDS {
            assert_eq!(step(kind).or(step(kind)).kind(), kind);
            let repeated = step(kind).repeated().kind();
            assert_eq!(repeated, if kind == Atomic { Compound } else { kind }, "{kind}*");
        }
        assert!(Atomic.is_atomic() && !Compound.is_atomic() && !Error.is_atomic());
        assert_eq!(step(Error).then(step(Const)).kind(), Error);
    }

    #[test]
    fn composition_distributes_over_joins() {
        let all: Vec<Atomicity> = KINDS
            .into_iter()
            .flat_map(|kind| [Atomicity::step(kind, false), Atomicity::step(kind, true)])
            .chain([Atomicity::section_end()])
            .collect();
        for a in &all {
            for b in &all {
                for c in &all {
                    assert_eq!(a.then(b.or(*c)), a.then(*b).or(a.then(*c)));
                    assert_eq!(b.or(*c).then(*a), b.then(*a).or(c.then(*a)));
                    assert_eq!(a.then(b.then(*c)), a.then(*b).then(*c));
                }
            }
        }
    }

    #[test]
    fn a_section_is_one_step() {
        let inside = |kind| Atomicity::step(kind, true);
        let end = Atomicity::section_end();
        let section =
            inside(Kind::Atomic).then(inside(Kind::RightMover)).then(inside(Kind::Atomic)).then(end);
        assert_eq!(section.kind(), Kind::Atomic);
        assert_eq!(section.then(section).kind(), Kind::Compound);
        // Begun by the caller: the end parts what follows from it.
        let rest = inside(Kind::Atomic).then(end).then(step(Kind::Atomic));
        assert_eq!(rest.kind(), Kind::Compound);
        assert_eq!(inside(Kind::BothMover).then(end).then(step(Kind::Atomic)).kind(), Kind::Atomic);
        assert_eq!(step(Kind::Atomic).then(inside(Kind::LeftMover)).then(end).kind(), Kind::Atomic);
        assert_eq!(step(Kind::Atomic).then(inside(Kind::Atomic)).kind(), Kind::Compound);
        assert_eq!(inside(Kind::Compound).then(end).kind(), Kind::Compound);
    }
}
