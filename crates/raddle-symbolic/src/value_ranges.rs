//! Ranges of what is read from shared memory: a counter that starts at zero and is incremented a hundred times takes seven
//! of its 32 bits, and cannot overflow.
//!
//! Interval analysis (Cousot and Cousot 1977) over the events of an unrolling. In an execution the nodes are totally ordered,
//! and what a write stores is a function of inputs and of what was read before it. Let R(0) hold the first contents of each location, and
//! R(i + 1) also what the writes store when all reads are within R(i). By induction memory is within R(i) after the
//! first i writes of an execution, so R(n) holds everything that is read, with n writes in all. No widening is needed:
//! where R is not stable before, the number of writes ends the iteration. Only writes count from which the location's own
//! contents depend: locations that depend on each other (strongly connected components, Tarjan 1972) are iterated
//! together, those that they depend on before.
//!
//! Intervals are unsigned, conditions of branches are not used, and a location that is accessed in different sizes has no
//! range. A read that is not executed has any value in the encoding, and nothing that is executed depends on it: within
//! the range there is one, so no execution is lost.

use std::collections::BTreeMap;

use raddle_solver::{Term, Terms, View};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::unrolling::{Range, Unrolling};

/// Steps of all iterations of one component, at most; if no range is stable by then there is none.
const MOST_STEPS: usize = 5_000_000;

/// Terms that are visited to find on what locations depend, all together.
const MOST_VISITS: usize = 5_000_000;

/// All values from the first to the second.
type Interval = (u64, u64);

/// A location whose accesses have one size, of up to 64 bits.
struct Location {
    reads: Vec<Term>,
    written: Vec<Term>,
    initial: Term,
    width: u32,
}

/// The variables of reads that are below a power of two in every execution, each with the exponent.
pub(crate) fn narrow_reads(unrolling: &Unrolling, terms: &Terms) -> Vec<(Term, u32)> {
    let locations = locations(unrolling, terms);
    let mut of_read: FxHashMap<Term, usize> = FxHashMap::default();
    for (number, location) in locations.iter().enumerate() {
        of_read.extend(location.reads.iter().map(|read| (*read, number)));
    }
    let (mut codes, mut visits) = (Vec::with_capacity(locations.len()), 0);
    for location in &locations {
        let mut code = Code::new(terms, Some(&of_read));
        location.written.iter().for_each(|term| code.add(*term));
        visits += code.places.len();
        if visits > MOST_VISITS {
            return Vec::new();
        }
        codes.push(code);
    }
    let below: Vec<Vec<usize>> = codes.iter().map(Code::locations).collect();
    let mut ranges: Vec<Interval> = locations.iter().map(|location| (0, ones(location.width))).collect();
    for component in components(&below) {
        // What was there before any event depends on no read.
        let initial = component.iter().map(|number| {
            let mut code = Code::new(terms, None);
            code.add(locations[*number].initial);
            code.run(&[]).expect("one result")
        });
        let initial: Vec<Interval> = initial.collect();
        let writes = component.iter().map(|number| locations[*number].written.len()).sum();
        iterate(&codes, &component, initial, writes, &mut ranges);
    }
    let mut narrow = Vec::new();
    for (location, (_, most)) in locations.iter().zip(&ranges) {
        let bits = u64::BITS - most.leading_zeros();
        if bits < location.width {
            narrow.extend(location.reads.iter().map(|read| (*read, bits)));
        }
    }
    narrow
}

/// The locations that are read as variables and whose accesses have one size.
fn locations(unrolling: &Unrolling, terms: &Terms) -> Vec<Location> {
    let mut all: BTreeMap<Range, Location> = BTreeMap::new();
    let mut excluded: FxHashSet<Range> = FxHashSet::default();
    for (range, bits, _) in &unrolling.initial {
        let (reads, written) = (Vec::new(), Vec::new());
        let location = Location { reads, written, initial: *bits, width: terms.width(*bits) };
        all.insert(*range, location);
    }
    let mut ranges: Vec<Range> = all.keys().copied().collect();
    for event in &unrolling.events {
        let Some(location) = all.get_mut(&event.range) else {
            ranges.push(event.range);
            continue;
        };
        if terms.width(event.bits) != location.width {
            excluded.insert(event.range);
        }
        if event.writes {
            location.written.push(event.bits);
        } else if terms.view(event.bits) == View::Variable {
            location.reads.push(event.bits);
        }
    }
    ranges.sort_unstable();
    ranges.dedup();
    // The one that goes furthest of those that begin before.
    let mut furthest: Option<Range> = None;
    for range in ranges {
        let same_object = furthest.filter(|before| before.object == range.object);
        if let Some(before) = same_object
            && range.offset < before.end()
        {
            excluded.extend([before, range]);
        }
        furthest = Some(same_object.filter(|before| before.end() > range.end()).unwrap_or(range));
    }
    let usable = |(range, location): &(Range, Location)| {
        location.width <= 64 && !location.reads.is_empty() && !excluded.contains(range)
    };
    all.into_iter().filter(usable).map(|(_, location)| location).collect()
}

/// Components of locations that depend on each other; what one depends on comes before it (Tarjan 1972).
fn components(below: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let count = below.len();
    let (mut number, mut least, mut open) = (vec![NEW; count], vec![0; count], vec![false; count]);
    let (mut next, mut stack, mut found) = (0, Vec::new(), Vec::new());
    for root in 0..count {
        if number[root] != NEW {
            continue;
        }
        // A location, and how many of those that it depends on were visited.
        let mut path = vec![(root, 0)];
        while let Some((at, done)) = path.pop() {
            if done == 0 {
                (number[at], least[at], open[at]) = (next, next, true);
                next += 1;
                stack.push(at);
            } else {
                let visited = below[at][done - 1];
                if open[visited] {
                    least[at] = least[at].min(least[visited]);
                }
            }
            if let Some(other) = below[at].get(done).copied() {
                path.push((at, done + 1));
                if number[other] == NEW {
                    path.push((other, 0));
                }
                continue;
            }
            if least[at] == number[at] {
                let from = stack.iter().rposition(|other| *other == at).expect("it is open");
                let component = stack.split_off(from);
                component.iter().for_each(|member| open[*member] = false);
                found.push(component);
            }
        }
    }
    found
}

/// Ranges of locations that depend on each other; those that they depend on are known.
fn iterate(
    codes: &[Code],
    component: &[usize],
    initial: Vec<Interval>,
    writes: usize,
    ranges: &mut [Interval],
) {
    let unknown: Vec<Interval> = component.iter().map(|number| ranges[*number]).collect();
    let steps: usize = component.iter().map(|number| codes[*number].steps.len()).sum();
    for (number, initial) in component.iter().zip(&initial) {
        ranges[*number] = *initial;
    }
    for iteration in 0..writes {
        if iteration * steps > MOST_STEPS {
            for (number, unknown) in component.iter().zip(unknown) {
                ranges[*number] = unknown;
            }
            return;
        }
        let found: Vec<Option<Interval>> =
            component.iter().map(|number| codes[*number].run(ranges)).collect();
        let mut stable = true;
        for (number, found) in component.iter().zip(found) {
            let Some(found) = found else { continue };
            let joined = join(ranges[*number], found);
            stable &= joined == ranges[*number];
            ranges[*number] = joined;
        }
        if stable {
            return;
        }
    }
}

/// How an interval follows from those of earlier steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Known(Interval),
    Read(usize),
    Join(usize, usize),
    /// With the width of the lower part.
    Concat(usize, usize, u32),
    /// The lowest bit, and the width.
    Extract(usize, u32, u32),
    SignExtend(usize, u32, u32),
    /// These with the width of the result.
    Not(usize, u32),
    Neg(usize, u32),
    Add(usize, usize, u32),
    Mul(usize, usize, u32),
    And(usize, usize),
    Xor(usize, usize),
    Divide(usize, usize, u32),
    Remainder(usize, usize, u32),
}

/// What is written to a location, as straight-line code over intervals. Reads of one location are one value, and equal
/// steps are one, so the many increments of a counter are few steps.
struct Code<'t> {
    terms: &'t Terms,
    of_read: Option<&'t FxHashMap<Term, usize>>,
    steps: Vec<Step>,
    numbers: FxHashMap<Step, usize>,
    places: FxHashMap<Term, usize>,
    /// The steps whose values are written.
    results: FxHashSet<usize>,
}

impl<'t> Code<'t> {
    fn new(terms: &'t Terms, of_read: Option<&'t FxHashMap<Term, usize>>) -> Code<'t> {
        Code {
            terms,
            of_read,
            steps: Vec::new(),
            numbers: FxHashMap::default(),
            places: FxHashMap::default(),
            results: FxHashSet::default(),
        }
    }

    /// The locations that are read.
    fn locations(&self) -> Vec<usize> {
        let read = |step: &Step| match step {
            Step::Read(location) => Some(*location),
            _ => None,
        };
        self.steps.iter().filter_map(read).collect()
    }

    fn add(&mut self, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if self.places.contains_key(&term) {
                stack.pop();
                continue;
            }
            match self.step(term) {
                Ok(step) => {
                    stack.pop();
                    let new = self.steps.len();
                    let place = *self.numbers.entry(step).or_insert(new);
                    if place == new {
                        self.steps.push(step);
                    }
                    self.places.insert(term, place);
                }
                Err(missing) => stack.push(missing),
            }
        }
        self.results.insert(self.places[&root]);
    }

    /// The step of a term; the error is an operand that has none yet.
    fn step(&self, term: Term) -> Result<Step, Term> {
        let width = self.terms.width(term);
        let at = |operand: Term| self.places.get(&operand).copied().ok_or(operand);
        let all = Step::Known((0, ones(width)));
        if width > 64 {
            return Ok(all);
        }
        Ok(match self.terms.view(term) {
            View::Constant(bits) => Step::Known((bits.low(), bits.low())),
            View::Variable => match self.of_read.and_then(|of_read| of_read.get(&term)) {
                Some(location) => Step::Read(*location),
                None => all,
            },
            View::Ite(_, a, b) => Step::Join(at(a)?, at(b)?),
            View::Concat(a, b) => Step::Concat(at(a)?, at(b)?, self.terms.width(b)),
            View::Extract(a, _) if self.terms.width(a) > 64 => all,
            View::Extract(a, low) => Step::Extract(at(a)?, low, width),
            View::SignExtend(a) => Step::SignExtend(at(a)?, self.terms.width(a), width),
            View::Not(a) => Step::Not(at(a)?, width),
            View::Neg(a) => Step::Neg(at(a)?, width),
            View::Add(a, b) => Step::Add(at(a)?, at(b)?, width),
            View::Mul(a, b) => Step::Mul(at(a)?, at(b)?, width),
            View::And(a, b) => Step::And(at(a)?, at(b)?),
            View::Xor(a, b) => Step::Xor(at(a)?, at(b)?),
            View::UDiv(a, b) => Step::Divide(at(a)?, at(b)?, width),
            View::URem(a, b) => Step::Remainder(at(a)?, at(b)?, width),
            _ => all,
        })
    }

    /// All that is written, given the ranges of what is read; `None`: nothing is.
    fn run(&self, ranges: &[Interval]) -> Option<Interval> {
        let mut values: Vec<Interval> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match *step {
                Step::Read(location) => ranges[location],
                _ => step.interval(&values),
            };
            values.push(value);
        }
        self.results.iter().map(|place| values[*place]).reduce(join)
    }
}

impl Step {
    /// From the intervals of the steps before.
    fn interval(self, values: &[Interval]) -> Interval {
        match self {
            Step::Known(interval) => interval,
            Step::Read(_) => unreachable!("of a location"),
            Step::Join(a, b) => join(values[a], values[b]),
            Step::Concat(a, b, width) => {
                let ((low, high), (low_b, high_b)) = (values[a], values[b]);
                (low << width | low_b, high << width | high_b)
            }
            Step::Extract(a, from, width) => {
                let (low, high) = (values[a].0 >> from, values[a].1 >> from);
                match low & !ones(width) == high & !ones(width) {
                    true => (low & ones(width), high & ones(width)),
                    false => (0, ones(width)),
                }
            }
            Step::SignExtend(a, from, width) => {
                let (low, high) = values[a];
                let sign = 1 << (from - 1);
                let above = ones(width) & !ones(from);
                match (low & sign != 0, high & sign != 0) {
                    (false, false) => (low, high),
                    (true, true) => (low | above, high | above),
                    _ => (0, ones(width)),
                }
            }
            Step::Not(a, width) => (ones(width) - values[a].1, ones(width) - values[a].0),
            Step::Neg(a, width) => match values[a] {
                (0, 0) => (0, 0),
                (0, _) => (0, ones(width)),
                (low, high) => (ones(width) - high + 1, ones(width) - low + 1),
            },
            Step::Add(a, b, width) => {
                let sum = |a: u64, b: u64| u128::from(a) + u128::from(b);
                let (low, high) = (sum(values[a].0, values[b].0), sum(values[a].1, values[b].1));
                // Both wrap, or neither.
                match low >> width == high >> width {
                    true => (low as u64 & ones(width), high as u64 & ones(width)),
                    false => (0, ones(width)),
                }
            }
            Step::Mul(a, b, width) => {
                let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
                let (low, high) = (product(values[a].0, values[b].0), product(values[a].1, values[b].1));
                if high <= u128::from(ones(width)) { (low as u64, high as u64) } else { (0, ones(width)) }
            }
            Step::And(a, b) => (0, values[a].1.min(values[b].1)),
            Step::Xor(a, b) => (0, ones(u64::BITS - (values[a].1 | values[b].1).leading_zeros())),
            // By zero: as in SMT-LIB.
            Step::Divide(a, b, width) => match values[b] {
                (0, _) => (0, ones(width)),
                (low, high) => (values[a].0 / high, values[a].1 / low),
            },
            Step::Remainder(a, b, width) => match (values[a], values[b]) {
                (_, (0, _)) => (0, ones(width)),
                ((low, high), (least, _)) if high < least => (low, high),
                ((_, high), (_, most)) => (0, high.min(most - 1)),
            },
        }
    }
}

fn join(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The largest value of a width.
fn ones(width: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - width.min(u64::BITS)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unrolling::{Event, Node};
    use raddle_machine::ObjectId;

    /// Events of locations of one byte each, in the object of the same number.
    struct Events {
        terms: Terms,
        unrolling: Unrolling,
    }

    impl Events {
        fn new(initial: &[u64]) -> Events {
            let (mut terms, mut unrolling) = (Terms::new(), Unrolling::default());
            for (object, value) in initial.iter().enumerate() {
                let (bits, undefined) = (terms.constant(8, *value), terms.constant(8, 0u64));
                unrolling.initial.push((location(object), bits, undefined));
            }
            Events { terms, unrolling }
        }

        fn event(&mut self, object: usize, writes: bool, bits: Term) {
            let undefined = self.terms.constant(8, 0u64);
            let (node, range) = (Node(0), location(object));
            self.unrolling.events.push(Event { node, guard: Term::TRUE, range, writes, bits, undefined });
        }

        fn read(&mut self, object: usize) -> Term {
            let bits = self.terms.variable(8);
            self.event(object, false, bits);
            bits
        }

        fn narrow(&self) -> Vec<u32> {
            narrow_reads(&self.unrolling, &self.terms).into_iter().map(|(_, bits)| bits).collect()
        }
    }

    fn location(object: usize) -> Range {
        Range { object: ObjectId(object as u64), offset: 0, length: 1 }
    }

    #[test]
    fn a_counter_grows_with_its_writes() {
        let mut events = Events::new(&[0]);
        for _ in 0..5 {
            let read = events.read(0);
            let one = events.terms.constant(8, 1u64);
            let sum = events.terms.add(read, one);
            events.event(0, true, sum);
        }
        // At most five.
        assert_eq!(events.narrow(), [3; 5]);
        let read = events.read(0);
        let two = events.terms.constant(8, 3u64);
        let product = events.terms.mul(read, two);
        events.event(0, true, product);
        // 0 1 3 9 27 81 243
        assert!(events.narrow().is_empty());
    }

    #[test]
    fn locations_that_depend_on_each_other_count_the_writes_of_both() {
        let mut events = Events::new(&[1, 1, 0]);
        for object in [0, 1] {
            for _ in 0..2 {
                let (mine, other) = (events.read(object), events.read(1 - object));
                let sum = events.terms.add(mine, other);
                events.event(object, true, sum);
            }
        }
        let read = events.read(0);
        events.event(2, true, read);
        events.read(2);
        // 2 4 8 16
        assert_eq!(events.narrow(), [5; 10]);
    }

    #[test]
    fn a_decrement_below_zero_has_all_values() {
        let mut events = Events::new(&[3]);
        let (read, minus_one) = (events.read(0), events.terms.constant(8, 255u64));
        let less = events.terms.add(read, minus_one);
        events.event(0, true, less);
        assert_eq!(events.narrow(), [2]);
        events.event(0, true, less);
        events.event(0, true, less);
        assert_eq!(events.narrow(), [2]);
        events.event(0, true, less);
        assert!(events.narrow().is_empty());
    }

    #[test]
    fn what_is_accessed_in_parts_has_no_range() {
        let mut events = Events::new(&[0]);
        events.read(0);
        assert_eq!(events.narrow(), [0]);
        let part = Range { length: 2, ..location(0) };
        let (bits, undefined) = (events.terms.constant(16, 0u64), events.terms.constant(16, 0u64));
        let (node, guard) = (Node(0), Term::TRUE);
        events.unrolling.events.push(Event { node, guard, range: part, writes: true, bits, undefined });
        assert!(events.narrow().is_empty());
    }
}
