//! Damaged programs: words and characters of the corpus deleted, doubled and moved. Whatever comes of it is read or
//! refused with a place inside the text, and what is read is printed as the same program.

use raddle_bp::flow::lower;
use raddle_bp::program::{ProgramError, parse, print};
use raddle_conformance::{Random, boolean_programs};
use std::path::Path;

/// Pieces that change a lot.
const PIECES: [&str; 24] = [
    ";", ":", ",", "(", ")", "'", "*", ":=", "=>", "?", "|", "fi", "od", "end", "if ", "while ", "do ",
    "then ", "goto ", "decl ", "/*", "//", "{", "L: ",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let length = random.below(12).min(text.len() - at);
        match random.below(4) {
            0 => drop(text.drain(at..at + length)),
            1 => {
                let piece: Vec<char> = text[at..at + length].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            _ => drop(text.splice(at..at, random.pick(&PIECES).chars())),
        }
    }
    text.into_iter().collect()
}

fn check_place(text: &str, error: &ProgramError) {
    let lines: Vec<&str> = text.split('\n').collect();
    let line = lines.get(error.place.line as usize - 1);
    let line = line.unwrap_or_else(|| panic!("{error}: there are {} lines", lines.len()));
    assert!(
        error.place.column >= 1 && error.place.column as usize <= line.chars().count() + 1,
        "{error}\n{text}"
    );
}

#[test]
fn damaged_programs_are_read_or_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boolean");
    let mut random = Random::new(5);
    let (mut read, mut refused, mut lowered) = (0, 0, 0);
    for program in boolean_programs(&root).expect("the corpus") {
        for _ in 0..100 {
            let text = damage(&program.text, &mut random);
            match parse(&text) {
                Err(error) => {
                    refused += 1;
                    check_place(&text, &error);
                }
                Ok(tree) => {
                    read += 1;
                    let printed = print(&tree);
                    let again =
                        parse(&printed).unwrap_or_else(|e| panic!("{e}\n{text}\nprinted:\n{printed}"));
                    assert_eq!(again, tree, "{text}\nprinted:\n{printed}");
                    assert_eq!(print(&again), printed, "{text}");
                    match lower(&tree) {
                        Ok(_) => lowered += 1,
                        Err(error) => check_place(&text, &error),
                    }
                }
            }
        }
    }
    assert!(read > 1500 && refused > 1500 && lowered > 1000, "{read} {refused} {lowered}");
}
