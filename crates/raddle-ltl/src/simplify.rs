//! Smaller equivalent formulas in negation normal form.
//!
//! Three families of rules, applied from the leaves upwards, again until nothing changes:
//!
//! - Distribution and absorption, read in the direction that has fewer temporal operators, and syntactic implication
//!   between operands: Somenzi & Bloem, "Efficient Büchi automata from LTL formulae" (CAV 2000, section 3).
//! - Pure eventualities (`a U e` = `e`, as for `<> f`) and pure universalities (`a V u` = `u`, as for `[] f`); what is
//!   both, such as `[]<> f`, also absorbs `X`: Etessami & Holzmann, "Optimizing Büchi automata" (CONCUR 2000, section
//!   4).
//! - Constants and complementary literals.
//!
//! No rule brings in an `X` where there was none. Implication is a sufficient test with a limit on depth and on the
//! number of pairs; beyond the limit it answers "not known" and the formula stays larger.

use crate::formula::{Formula, FormulaBuilder, FormulaId, Node};
use rustc_hash::FxHashMap;

/// Rewriting inside a rewritten result, implication and negation go this deep and no deeper.
const MAXIMUM_NESTING: u32 = 50;
/// Pairs of formulas that were compared.
const MAXIMUM_PAIRS: usize = 200_000;
/// Conjunctions and disjunctions of more operands are not searched for pairs that combine.
const MAXIMUM_OPERANDS: usize = 24;
const MAXIMUM_ROUNDS: usize = 6;

impl Formula {
    /// An equivalent formula in [negation normal form](Formula::negation_normal_form), usually smaller.
    pub fn simplified(&self) -> Formula {
        let mut formula = self.negation_normal_form();
        for _ in 0..MAXIMUM_ROUNDS {
            let next = simplify_once(&formula);
            if next == formula {
                break;
            }
            formula = next;
        }
        formula
    }
}

fn simplify_once(formula: &Formula) -> Formula {
    let mut to = Simplifier {
        builder: formula.empty_builder(),
        purity: Vec::new(),
        implications: FxHashMap::default(),
        negations: FxHashMap::default(),
    };
    let mut images: Vec<FormulaId> = Vec::with_capacity(formula.nodes().len());
    for &node in formula.nodes() {
        let of = |id: FormulaId| images[id.index()];
        let image = match node {
            Node::And(a, b) => to.and(of(a), of(b), 0),
            Node::Or(a, b) => to.or(of(a), of(b), 0),
            Node::Next(a) => to.next(of(a)),
            Node::Until(a, b) => to.until(of(a), of(b), 0),
            Node::Release(a, b) => to.release(of(a), of(b), 0),
            Node::Not(a) => to.add(Node::Not(of(a))),
            leaf => to.add(leaf),
        };
        images.push(image);
    }
    to.builder.finish(images[formula.root().index()])
}

/// Whether `<> f` = `f` and whether `[] f` = `f`, as far as the syntax shows.
#[derive(Clone, Copy)]
struct Purity {
    eventual: bool,
    universal: bool,
}

struct Simplifier {
    builder: FormulaBuilder,
    /// One entry a node of the builder.
    purity: Vec<Purity>,
    implications: FxHashMap<(FormulaId, FormulaId), bool>,
    negations: FxHashMap<FormulaId, FormulaId>,
}

impl Simplifier {
    fn add(&mut self, node: Node) -> FormulaId {
        let id = self.builder.add(node);
        if id.index() == self.purity.len() {
            let of = |id: FormulaId| self.purity[id.index()];
            let purity = match node {
                Node::True | Node::False => Purity { eventual: true, universal: true },
                Node::Next(a) => of(a),
                Node::And(a, b) | Node::Or(a, b) => Purity {
                    eventual: of(a).eventual && of(b).eventual,
                    universal: of(a).universal && of(b).universal,
                },
                Node::Until(a, b) => Purity {
                    eventual: self.builder.node(a) == Node::True || of(b).eventual,
                    universal: of(a).universal && of(b).universal,
                },
                Node::Release(a, b) => Purity {
                    eventual: of(a).eventual && of(b).eventual,
                    universal: self.builder.node(a) == Node::False || of(b).universal,
                },
                _ => Purity { eventual: false, universal: false },
            };
            self.purity.push(purity);
        }
        id
    }

    fn node(&self, id: FormulaId) -> Node {
        self.builder.node(id)
    }

    fn purity(&self, id: FormulaId) -> Purity {
        self.purity[id.index()]
    }

    fn constant(&mut self, value: bool) -> FormulaId {
        self.add(if value { Node::True } else { Node::False })
    }

    fn next(&mut self, a: FormulaId) -> FormulaId {
        let Purity { eventual, universal } = self.purity(a);
        if eventual && universal { a } else { self.add(Node::Next(a)) }
    }

    fn until(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> FormulaId {
        if self.purity(b).eventual || self.implies(a, b, nesting) {
            return b;
        }
        if nesting < MAXIMUM_NESTING {
            match (self.node(a), self.node(b)) {
                (Node::True, Node::Until(_, y)) => return self.until(a, y, nesting + 1),
                (_, Node::Until(x, _)) if self.implies(a, x, nesting) => return b,
                (Node::Next(x), Node::Next(y)) => {
                    let inner = self.until(x, y, nesting + 1);
                    return self.next(inner);
                }
                (Node::True, Node::Next(y)) => {
                    let inner = self.until(a, y, nesting + 1);
                    return self.next(inner);
                }
                (Node::True, _) => {}
                _ if self.one_holds(a, b, nesting) => {
                    let always = self.constant(true);
                    return self.until(always, b, nesting + 1);
                }
                _ => {}
            }
        }
        self.add(Node::Until(a, b))
    }

    fn release(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> FormulaId {
        if self.purity(b).universal || self.implies(b, a, nesting) {
            return b;
        }
        if nesting < MAXIMUM_NESTING {
            match (self.node(a), self.node(b)) {
                (Node::False, Node::Release(_, y)) => return self.release(a, y, nesting + 1),
                (_, Node::Release(x, _)) if self.implies(x, a, nesting) => return b,
                (Node::Next(x), Node::Next(y)) => {
                    let inner = self.release(x, y, nesting + 1);
                    return self.next(inner);
                }
                (Node::False, Node::Next(y)) => {
                    let inner = self.release(a, y, nesting + 1);
                    return self.next(inner);
                }
                (Node::False, _) => {}
                _ if self.exclude(a, b, nesting) => {
                    let never = self.constant(false);
                    return self.release(never, b, nesting + 1);
                }
                _ => {}
            }
        }
        self.add(Node::Release(a, b))
    }

    fn and(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> FormulaId {
        self.join(a, b, true, nesting)
    }

    fn or(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> FormulaId {
        self.join(a, b, false, nesting)
    }

    /// `a && b` if `both`, else `a || b`: the operands of the whole chain, combined in pairs wherever a rule applies.
    fn join(&mut self, a: FormulaId, b: FormulaId, both: bool, nesting: u32) -> FormulaId {
        let plain = if both { Node::And(a, b) } else { Node::Or(a, b) };
        if nesting >= MAXIMUM_NESTING {
            return self.add(plain);
        }
        let mut waiting = vec![b, a];
        let mut operands: Vec<FormulaId> = Vec::new();
        let mut steps = 0;
        while let Some(id) = waiting.pop() {
            match self.node(id) {
                Node::And(x, y) if both => waiting.extend([y, x]),
                Node::Or(x, y) if !both => waiting.extend([y, x]),
                _ => {
                    let combined = operands.iter().enumerate().find_map(|(place, &other)| {
                        self.combine(other, id, both, nesting).map(|result| (place, result))
                    });
                    match combined {
                        Some((place, result)) => {
                            operands.remove(place);
                            waiting.push(result);
                        }
                        None => operands.push(id),
                    }
                }
            }
            steps += 1;
            // Some rules make an operand that is again a chain, so the work is bounded by steps, not by operands.
            if operands.len() + waiting.len() > MAXIMUM_OPERANDS || steps > 8 * MAXIMUM_OPERANDS {
                return self.add(plain);
            }
        }
        let mut operands = operands.into_iter();
        let first = operands.next().expect("two operands give at least one");
        operands
            .fold(first, |whole, id| self.add(if both { Node::And(whole, id) } else { Node::Or(whole, id) }))
    }

    /// One formula for two operands of a chain, if a rule gives one.
    fn combine(&mut self, a: FormulaId, b: FormulaId, both: bool, nesting: u32) -> Option<FormulaId> {
        if self.implies(a, b, nesting) {
            return Some(if both { a } else { b });
        }
        if self.implies(b, a, nesting) {
            return Some(if both { b } else { a });
        }
        if both && self.exclude(a, b, nesting) || !both && self.one_holds(a, b, nesting) {
            return Some(self.constant(!both));
        }
        let deeper = nesting + 1;
        match (self.node(a), self.node(b)) {
            (Node::Next(x), Node::Next(y)) => {
                let inner = self.join(x, y, both, deeper);
                Some(self.next(inner))
            }
            (Node::Until(x, y), Node::Until(v, w)) if both && y == w => {
                let inner = self.and(x, v, deeper);
                Some(self.until(inner, y, deeper))
            }
            (Node::Until(x, y), Node::Until(v, w)) if !both && x == v => {
                let inner = self.or(y, w, deeper);
                Some(self.until(x, inner, deeper))
            }
            (Node::Release(x, y), Node::Release(v, w)) if both && x == v => {
                let inner = self.and(y, w, deeper);
                Some(self.release(x, inner, deeper))
            }
            (Node::Release(x, y), Node::Release(v, w)) if !both && y == w => {
                let inner = self.or(x, v, deeper);
                Some(self.release(inner, y, deeper))
            }
            // <>[] x && <>[] y = <>[] (x && y), and []<> x || []<> y = []<> (x || y).
            (Node::Until(always, y), Node::Until(v, w))
                if both && always == v && self.node(always) == Node::True && self.both_globally(y, w) =>
            {
                let inner = self.and(y, w, deeper);
                Some(self.until(always, inner, deeper))
            }
            (Node::Release(never, y), Node::Release(v, w))
                if !both && never == v && self.node(never) == Node::False && self.both_eventually(y, w) =>
            {
                let inner = self.or(y, w, deeper);
                Some(self.release(never, inner, deeper))
            }
            _ => None,
        }
    }

    fn both_globally(&self, a: FormulaId, b: FormulaId) -> bool {
        let globally = |id| matches!(self.node(id), Node::Release(x, _) if self.node(x) == Node::False);
        globally(a) && globally(b)
    }

    fn both_eventually(&self, a: FormulaId, b: FormulaId) -> bool {
        let eventually = |id| matches!(self.node(id), Node::Until(x, _) if self.node(x) == Node::True);
        eventually(a) && eventually(b)
    }

    /// Whether `a && b` is known to be false.
    fn exclude(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> bool {
        self.negation(b, nesting).is_some_and(|not_b| self.implies(a, not_b, nesting))
    }

    /// Whether `a || b` is known to be true.
    fn one_holds(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> bool {
        self.negation(a, nesting).is_some_and(|not_a| self.implies(not_a, b, nesting))
    }

    fn negation(&mut self, id: FormulaId, nesting: u32) -> Option<FormulaId> {
        if let Some(&known) = self.negations.get(&id) {
            return Some(known);
        }
        if nesting >= MAXIMUM_NESTING {
            return None;
        }
        let deeper = nesting + 1;
        let negated = match self.node(id) {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Proposition(_) => Node::Not(id),
            Node::Not(a) => self.node(a),
            Node::Next(a) => Node::Next(self.negation(a, deeper)?),
            Node::And(a, b) => Node::Or(self.negation(a, deeper)?, self.negation(b, deeper)?),
            Node::Or(a, b) => Node::And(self.negation(a, deeper)?, self.negation(b, deeper)?),
            Node::Until(a, b) => Node::Release(self.negation(a, deeper)?, self.negation(b, deeper)?),
            Node::Release(a, b) => Node::Until(self.negation(a, deeper)?, self.negation(b, deeper)?),
            Node::Implies(..) | Node::Equivalent(..) | Node::WeakUntil(..) => {
                unreachable!("not in negation normal form")
            }
        };
        let negated = self.add(negated);
        self.negations.insert(id, negated);
        Some(negated)
    }

    /// Whether the syntax shows that `b` holds wherever `a` does.
    fn implies(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> bool {
        if a == b || self.node(a) == Node::False || self.node(b) == Node::True {
            return true;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        if nesting >= MAXIMUM_NESTING || self.implications.len() >= MAXIMUM_PAIRS {
            return false;
        }
        let answer = self.implies_by_left(a, b, nesting + 1) || self.implies_by_right(a, b, nesting + 1);
        self.implications.insert((a, b), answer);
        answer
    }

    /// Rules that take the premise apart.
    fn implies_by_left(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::And(x, y), _) => self.implies(x, b, nesting) || self.implies(y, b, nesting),
            (Node::Or(x, y), _) => self.implies(x, b, nesting) && self.implies(y, b, nesting),
            (Node::Next(x), Node::Next(y)) => self.implies(x, y, nesting),
            (Node::Next(x), _) if self.purity(b).eventual => self.implies(x, b, nesting),
            (Node::Until(_, y), _) if self.purity(b).eventual && self.implies(y, b, nesting) => true,
            (Node::Until(x, y), Node::Until(v, w))
                if self.implies(x, v, nesting) && self.implies(y, w, nesting) =>
            {
                true
            }
            (Node::Until(x, y), _) => self.implies(x, b, nesting) && self.implies(y, b, nesting),
            (Node::Release(x, y), Node::Release(v, w))
                if self.implies(x, v, nesting) && self.implies(y, w, nesting) =>
            {
                true
            }
            (Node::Release(_, y), _) => self.implies(y, b, nesting),
            _ => false,
        }
    }

    /// Rules that take the conclusion apart.
    fn implies_by_right(&mut self, a: FormulaId, b: FormulaId, nesting: u32) -> bool {
        match self.node(b) {
            Node::And(x, y) => self.implies(a, x, nesting) && self.implies(a, y, nesting),
            Node::Or(x, y) => self.implies(a, x, nesting) || self.implies(a, y, nesting),
            Node::Next(y) => self.purity(a).universal && self.implies(a, y, nesting),
            Node::Until(_, y) => self.implies(a, y, nesting),
            Node::Release(_, y) if self.purity(a).universal => self.implies(a, y, nesting),
            Node::Release(x, y) => self.implies(a, x, nesting) && self.implies(a, y, nesting),
            _ => false,
        }
    }
}
