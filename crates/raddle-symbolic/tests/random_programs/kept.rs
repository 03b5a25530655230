//! Programs on which engines and brute force once disagreed, in `tests/regressions/ir`: by every style.

use std::path::Path;

use raddle_symbolic::Style;

use crate::comparison::{How, Tally, compare};

/// What each of them was is in the file.
const KEPT: [&str; 2] = ["guard_decided_by_earlier_ones", "local_ends_with_the_last_step"];

#[test]
fn kept_programs_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regressions/ir");
    for name in KEPT {
        let text = std::fs::read_to_string(folder.join(name).with_extension("ir")).unwrap();
        for style in [Style::Order, Style::Lazy, Style::Record, Style::Widen] {
            for bounded in [false, true] {
                let program = raddle_ir::text::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
                let mut tally = Tally::default();
                let how = How { style, seconds: 20, bounded };
                compare(program, 1, how, &mut tally)
                    .unwrap_or_else(|why| panic!("{name} by {style:?}: {why}"));
                assert_eq!(tally.programs, 1, "{name} is compared");
            }
        }
    }
}
