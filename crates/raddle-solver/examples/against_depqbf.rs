//! Random formulas with one alternation, decided here and by the solver `depqbf` (Lonsing and Biere), if that is installed.
//!
//! `cargo run --release -p raddle-solver --example against_depqbf -- COUNT`. Clauses of three literals over more variables
//! than a truth table has room for.

use raddle_solver::{Formula, Graph, Stop, VariableId, for_all_exists};
use std::fmt::Write as _;
use std::process::Command;

fn main() {
    let count: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let (mut valid, mut refuted) = (0, 0);
    for seed in 1..=count {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
        };
        let (universal, existential) = (6 + below(10), 10 + below(20));
        let clauses = existential * (14 + below(24)) / 10;
        let mut graph = Graph::new();
        let names: Vec<VariableId> = (0..universal + existential).map(|_| graph.variable()).collect();
        let mut text = format!("p cnf {} {clauses}\na", names.len());
        (1..=universal).for_each(|number| write!(text, " {number}").expect("text"));
        text += " 0\ne";
        (universal + 1..=names.len()).for_each(|number| write!(text, " {number}").expect("text"));
        text += " 0\n";
        let mut matrix = Formula::TRUE;
        for _ in 0..clauses {
            // At most one literal is universal: others are seldom valid.
            let mut literals = vec![below(names.len()), universal + below(existential)];
            literals.push(universal + below(existential));
            let mut clause = Formula::FALSE;
            for number in literals {
                let negated = below(2) == 1;
                let literal = graph.value(names[number]).negate_if(negated);
                clause = graph.or(clause, literal);
                write!(text, "{}{} ", if negated { "-" } else { "" }, number + 1).expect("text");
            }
            text += "0\n";
            matrix = graph.and(matrix, clause);
        }
        let here = for_all_exists(&mut graph, Formula::TRUE, &names[universal..], matrix, &Stop::never())
            .expect("never stopped")
            .is_valid();
        let file = std::env::temp_dir().join(format!("against_depqbf_{}.qdimacs", std::process::id()));
        std::fs::write(&file, &text).expect("a file");
        let status = Command::new("depqbf").arg(&file).output().expect("depqbf is installed").status;
        std::fs::remove_file(&file).expect("a file");
        match (status.code(), here) {
            (Some(10), true) => valid += 1,
            (Some(20), false) => refuted += 1,
            (code, here) => panic!("seed {seed}: depqbf says {code:?}, here it is {here}\n{text}"),
        }
    }
    println!("{count} formulas: {valid} valid, {refuted} refuted, all alike");
}
