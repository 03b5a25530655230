//! JUnit XML: any report is well-formed, its counts are those of its elements, and what fails is what `--fail-on` counts.

use crate::{reports, samples};
use raddle_report::{Gate, JunitOptions, KnownViolations, json, junit};
use raddle_trace::{Report, Verdict};
use roxmltree::Document;

const LEVELS: [Option<Verdict>; 4] =
    [None, Some(Verdict::Violated), Some(Verdict::Unknown), Some(Verdict::Bounded)];

fn render(report: &Report, gate: Gate) -> String {
    let options = JunitOptions { name: "a<b>\"&.c, ./é.c".into(), gate, quiet: false };
    junit::render(report, &|_: &str, _: u32| Some("x < y && \"z\"\u{1}".to_string()), &options)
}

#[test]
fn counts_are_those_of_the_elements() {
    for report in reports() {
        for level in LEVELS {
            let text = render(&report, Gate(level));
            let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
            assert_eq!((count("testsuite"), count("testcase")), (1, report.rows.len()));
            for suite in document.descendants().filter(|node| node.tag_name().name().starts_with("testsuite"))
            {
                let said = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
                assert_eq!(said("tests"), report.rows.len());
                assert_eq!(said("failures"), count("failure"));
                assert_eq!(said("errors"), count("error"));
                assert_eq!(said("skipped"), count("skipped"));
            }
            let failing = count("failure") + count("error") > 0;
            match level {
                None => assert_eq!(count("failure") > 0, report.verdict() == Verdict::Violated),
                Some(_) => assert_eq!(failing, Gate(level).exit_code(&report) != 0, "{text}"),
            }
            // Nothing that is not proved looks as if it had passed.
            let passed = document.descendants().filter(|n| n.has_tag_name("testcase") && !n.has_children());
            let proved = report.rows.iter().filter(|row| row.verdict() == Verdict::Proved).count();
            assert_eq!(passed.count(), proved);
        }
    }
}

#[test]
fn a_known_violation_is_skipped_and_says_violated() {
    let mut report = samples::lost_update().report();
    KnownViolations::read(&json::render(&report)).unwrap().mark(&mut report, "old.json");
    let text = render(&report, Gate(Some(Verdict::Violated)));
    assert!(text.contains("<skipped message=\"violated (known): ") && !text.contains("<failure"), "{text}");
    assert!(render(&report, Gate(None)).contains("<failure message=\"violated (known): "));
}
