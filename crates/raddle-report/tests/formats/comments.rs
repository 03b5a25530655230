//! Markdown: below the limit of code hosts whatever the report, and no text of the program is markup.

use crate::{reports, samples};
use raddle_report::{MarkdownOptions, markdown};
use raddle_trace::{Assumption, Finding, Property, PropertyResult, Report};

fn render(report: &Report) -> String {
    let options = MarkdownOptions { name: "a`|b<c>.c".into(), quiet: false };
    markdown::render(report, &|_: &str, _: u32| Some("```x``` </details> <b>".to_string()), &options)
}

/// The lines outside the blocks of traces.
fn outside(text: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        match fence {
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => lines.push(line),
            Some(open) if line == open => fence = None,
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a block is not closed\n{text}");
    lines
}

fn check(text: &str) {
    assert!(text.chars().count() <= 60_000, "{}", text.chars().count());
    let mut depth = 0i32;
    for line in outside(text) {
        depth += line.matches("<details>").count() as i32 - line.matches("</details>").count() as i32;
        assert!((0..=1).contains(&depth), "{line}");
        // Markup is ours, or an entity, inside <code>.
        let mut rest = line.to_string();
        for ours in ["<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>", "<br>"] {
            rest = rest.replace(ours, "");
        }
        assert!(!rest.contains(['<', '>', '@', '*', '[']), "{line}");
    }
    assert_eq!(depth, 0);
}

#[test]
fn no_name_is_markup() {
    for report in reports() {
        check(&render(&report));
    }
}

#[test]
fn the_limit_holds_and_what_was_cut_is_said() {
    let mut many = samples::long_run().report();
    let trace = samples::long_run().trace;
    many.rows.clear();
    for number in 0..400 {
        let index = many.add_trace(trace.clone());
        many.rows.push(PropertyResult::violated(Finding::new(
            Property::Invariant(format!("x{number} > 0")),
            index,
        )));
        many.assumptions.add(Assumption::Other(format!("{number} {}", "é".repeat(900))));
    }
    let text = render(&many);
    check(&text);
    assert!(
        text.contains("more rows") && text.contains("more lines") && text.contains("traces left out"),
        "{text}"
    );
    // One trace that is too long alone.
    let mut long = samples::long_run().trace;
    let step = long.steps[0].clone();
    long.steps = (0..3000u64)
        .map(|index| raddle_trace::TraceStep {
            index,
            events: vec![raddle_trace::Event::Output { text: "p".repeat(60) }],
            ..step.clone()
        })
        .collect();
    let mut report = samples::long_run().report();
    report.traces = vec![long];
    check(&render(&report));
}
