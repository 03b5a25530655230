//! Every operation against truth tables of five variables.

use raddle_bdd::{Bdd, Diagrams};

const VARIABLES: u32 = 5;
const ROWS: u32 = 1 << VARIABLES;

/// A function as the set of its rows: bit `r` says whether it is true where variable `v` has bit `v` of `r`.
type Table = u32;

fn variable_table(number: u32) -> Table {
    (0..ROWS).filter(|row| row >> number & 1 == 1).fold(0, |table, row| table | 1 << row)
}

fn valuation(row: u32) -> Vec<bool> {
    (0..VARIABLES).map(|number| row >> number & 1 == 1).collect()
}

fn table(bdd: &Bdd) -> Table {
    (0..ROWS).filter(|row| bdd.contains(&valuation(*row))).fold(0, |table, row| table | 1 << row)
}

fn exists(table: Table, number: u32) -> Table {
    let holds = |row: u32| table >> row & 1 == 1 || table >> (row ^ 1 << number) & 1 == 1;
    (0..ROWS).filter(|row| holds(*row)).fold(0, |table, row| table | 1 << row)
}

/// Variable `from` is called `to`: the value in a row is that of the row in which `from` has the value of `to`.
fn rename(table: Table, pairs: &[(u32, u32)]) -> Table {
    let source = |row: u32| {
        pairs.iter().fold(row, |source, (from, to)| {
            let value = row >> to & 1;
            source & !(1 << from) | value << from
        })
    };
    (0..ROWS).filter(|row| table >> source(*row) & 1 == 1).fold(0, |table, row| table | 1 << row)
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % n
    }
}

#[test]
fn operations_agree_with_truth_tables() {
    let diagrams = Diagrams::new(VARIABLES, 1 << 16).expect("room");
    let mut random = Random(88_172_645_463_325_252);
    let mut known: Vec<(Bdd, Table)> =
        vec![(diagrams.constant(false), 0), (diagrams.constant(true), Table::MAX)];
    known.extend((0..VARIABLES).map(|n| (diagrams.variable(n).clone(), variable_table(n))));
    for _ in 0..4000 {
        let mut pick = || known[random.below(known.len() as u64) as usize].clone();
        let ((a, ta), (b, tb), (c, tc)) = (pick(), pick(), pick());
        let number = random.below(u64::from(VARIABLES)) as u32;
        let other = random.below(u64::from(VARIABLES)) as u32;
        let (bdd, expected) = match random.below(10) {
            0 => (a.not(), !ta),
            1 => (a.and(&b), ta & tb),
            2 => (a.or(&b), ta | tb),
            3 => (a.equal(&b), !(ta ^ tb)),
            4 => (a.minus(&b), ta & !tb),
            5 => (a.if_then_else(&b, &c), ta & tb | !ta & tc),
            6 => (a.exists(&diagrams.set([number]).expect("room")), exists(ta, number)),
            7 => {
                let both = diagrams.set([number, other]).expect("room");
                (a.and_exists(&b, &both), exists(exists(ta & tb, number), other))
            }
            8 => (a.rename(&diagrams.renaming([(number, other)])), rename(ta, &[(number, other)])),
            _ if number != other => {
                let pairs = [(number, other), (other, number)];
                (a.rename(&diagrams.renaming(pairs)), rename(ta, &pairs))
            }
            _ => (diagrams.cube([(number, false)]), !variable_table(number)),
        };
        let bdd = bdd.expect("room");
        assert_eq!(table(&bdd), expected);
        assert_eq!(bdd.share() * f64::from(ROWS), f64::from(expected.count_ones()));
        assert_eq!(bdd.is_false(), expected == 0);
        assert_eq!(bdd.is_true(), expected == Table::MAX);
        assert_eq!(a.implies(&b).expect("room"), ta & !tb == 0);
        assert_eq!(a == b, ta == tb);
        match bdd.some_valuation() {
            None => assert_eq!(expected, 0),
            Some(valuation) => assert!(bdd.contains(&valuation)),
        }
        known.push((bdd, expected));
    }
}

#[test]
fn a_full_table_is_an_error() {
    let diagrams = Diagrams::new(40, 64).expect("room");
    let mut sum = diagrams.constant(false);
    let mut full = false;
    for number in 0..20 {
        let pair = diagrams.variable(number).and(diagrams.variable(number + 20));
        match pair.and_then(|pair| sum.or(&pair)) {
            Ok(more) => sum = more,
            Err(_) => full = true,
        }
    }
    assert!(full);
}
