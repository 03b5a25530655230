//! Programs on which the engine or the machine was once wrong, or nearly: `programs/*.ir`, each against brute force.

mod support;

use raddle_conformance::concurrent::LIBRARY;
use support::{Tally, compare, parse};

#[test]
fn programs_that_were_once_wrong() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        count += 1;
        let program = parse(&format!("{text}{LIBRARY}"));
        if let Err(what) = compare(&program, 0, true, &mut Tally::default()) {
            wrong.push(format!("{}: {what}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 15);
}
