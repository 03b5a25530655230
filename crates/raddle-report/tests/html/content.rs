//! What the page contains, without a browser: everything of the report, no markup of others, no reference to anything
//! outside, the same bytes each time, colours that can be told apart.

use raddle_report::{HtmlOptions, html};
use raddle_trace::*;
use std::collections::BTreeMap;

use crate::pages::{self, NASTY, bare_page, page};
use crate::samples;

/// The text of a page as a reader sees it without a script.
fn visible(page: &str) -> String {
    let body = page.split("<script").next().unwrap().split("</style>").nth(1).unwrap();
    let mut text = String::new();
    let mut inside = false;
    for c in body.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    for (name, c) in [
        ("&lt;", "<"),
        ("&#60;", "<"),
        ("&gt;", ">"),
        ("&#62;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
        ("&#38;", "&"),
    ] {
        text = text.replace(name, c);
    }
    text
}

/// The data of each trace.
fn data(page: &str) -> Vec<serde_json::Value> {
    let parts = page.split("class=\"trace-data\"").skip(1);
    parts
        .map(|part| {
            serde_json::from_str(part.split_once('>').unwrap().1.split("</script>").next().unwrap()).unwrap()
        })
        .collect()
}

/// The source files of a page.
fn sources(page: &str) -> serde_json::Value {
    let part = page.split("id=\"sources\">").nth(1).unwrap();
    serde_json::from_str(part.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn everything_of_the_report_is_there() {
    let mut report = samples::lost_update().report();
    report.rows.push(PropertyResult::unknown(Property::Leak, "memory limit of 100 MB reached"));
    report.bounds.context_switches = Some(3);
    report.reached = Some(Reached { warnings: vec!["no thread was created".into()], ..Reached::default() });
    let text = visible(&bare_page(&report));
    for row in &report.rows {
        assert!(text.contains(&row.property.to_string()), "{}", row.property);
        assert!(text.contains(row.verdict().word()) && text.contains(row.property.describe()));
        assert!(row.reason.as_ref().is_none_or(|reason| text.contains(reason)), "{:?}", row.reason);
    }
    let sentences = report.assumptions.iter().map(Assumption::sentence).chain(report.bounds.sentences());
    for sentence in sentences {
        assert!(text.contains(&sentence), "{sentence}");
    }
    assert!(text.contains("no thread was created") && text.contains(&report.reached.unwrap().sentence()));
    for (name, value) in report.stats.iter() {
        assert!(text.contains(name) && text.contains(&value.to_string()), "{name}");
    }
    assert!(text.contains("result: violated") && text.contains("assertion `x == 2` failed"));
}

#[test]
fn a_report_without_a_trace_is_a_page() {
    for (row, sign) in [
        (PropertyResult::bounded(Property::Race, "up to 4 switches"), "≤"),
        (PropertyResult::unknown(Property::Race, "time limit"), "?"),
    ] {
        let word = row.verdict().word();
        let page = bare_page(&Report { rows: vec![row], ..Report::default() });
        assert!(visible(&page).contains(&format!("{sign} {word}")), "{word}");
        assert!(data(&page).is_empty() && !page.contains("id=\"stepper\""));
    }
}

/// Every trace that the reader accepts has a page, also the beginning of one.
#[test]
fn parts_of_traces_are_pages() {
    let mut all: Vec<Trace> = pages::all_samples().into_iter().map(|sample| sample.trace).collect();
    all.extend([pages::lasso(), pages::boolean(), pages::transitions(), pages::empty()]);
    let mut rendered = 0;
    for whole in all {
        for length in 0..=whole.steps.len() {
            let mut part = whole.clone();
            part.steps.truncate(length);
            for cycle in [None, Some(0), part.steps.last().map(|step| step.index)] {
                if let (Some(step), Some(repeated)) = (cycle, part.cycle.as_mut()) {
                    repeated.step = Some(step);
                }
                if read_json(&write_json(&part)).is_ok() {
                    let data = data(&bare_page(&pages::violated(part.clone())));
                    assert!(!data[0]["steps"].as_array().unwrap().is_empty());
                    rendered += 1;
                }
            }
        }
    }
    assert!(rendered > 100, "{rendered}");
}

#[test]
fn quiet_leaves_the_traces_out() {
    let sample = samples::race();
    let options = HtmlOptions { quiet: true, ..HtmlOptions::default() };
    let page = html::render_report(&sample.report(), &|_: &str, _: u32| None, &options);
    assert!(data(&page).is_empty() && visible(&page).contains("data race on page.hits"));
}

#[test]
fn one_report_gives_one_page() {
    for sample in pages::all_samples() {
        assert_eq!(page(&sample), page(&sample));
    }
}

#[test]
fn nothing_outside_is_referred_to() {
    let mut all: Vec<String> = pages::all_samples().iter().map(page).collect();
    all.extend(
        [pages::lasso(), pages::boolean(), pages::transitions()].map(|t| bare_page(&pages::violated(t))),
    );
    for page in all {
        for word in [
            " src=",
            "url(",
            "@import",
            "import(",
            "fetch(",
            "XMLHttpRequest",
            "WebSocket",
            "<link",
            "<iframe",
            "srcset",
        ] {
            // The arrow heads of the diagrams are in the page itself.
            assert!(!page.replace("url(#", "").contains(word), "{word}");
        }
        for reference in page.split("href=\"").skip(1) {
            assert!(reference.starts_with('#'), "{}", &reference[..20]);
        }
        // The name of a kind of drawing, which is not fetched.
        let names = page.replace("'http' + '://www.w3.org/2000/svg'", "");
        assert!(!names.contains("http://") && !names.contains("https://"));
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn program_text_is_never_markup() {
    let page = bare_page(&pages::nasty());
    // The scripts of the page itself: sources, one for each trace, one that runs.
    assert_eq!(page.matches("<script").count(), 4, "a script of the program");
    assert_eq!(page.matches("</script>").count(), 4);
    assert!(!page.contains("<img") && !page.contains("<!--") && !page.contains(['\u{2028}', '\u{202e}']));
    assert!(!page.contains("onerror=\""), "a quote that could end an attribute");
    let text = visible(&page);
    let shown = raddle_report::printable(NASTY);
    assert!(text.matches(&shown).count() > 8, "it is shown as it is");
    let words = data(&page)[0].to_string();
    assert!(words.contains("</script>"), "and in the data");
}

#[test]
fn files_are_whole_only_if_they_fit() {
    let sample = samples::lost_update();
    let whole = &sources(&page(&sample))[0];
    assert_eq!((whole["whole"].as_bool(), whole["lines"].as_array().unwrap().len()), (Some(true), 21));
    // Two traces share them.
    let mut twice = sample.report();
    twice.add_trace(sample.trace.clone());
    let page = pages::report_page(&twice, &|file: &str, line: u32| sample.line(file, line), "x");
    assert_eq!(sources(&page).as_array().unwrap().len(), 1);
    // A line that the trace has otherwise: the file was changed, and only the trace is to be trusted.
    let mut report = sample.report();
    report.traces[0].sources =
        BTreeMap::from([(sample.file.into(), BTreeMap::from([(8, "    x = x - 1;".into())]))]);
    let page = pages::report_page(&report, &|file: &str, line: u32| sample.line(file, line), "x");
    let own = &sources(&page)[0];
    assert_eq!(own["whole"].as_bool(), Some(false));
    assert_eq!(own["lines"].to_string(), "[[8,\"    x = x - 1;\"]]");
}

#[test]
fn what_went_wrong_comes_first() {
    let text = |sample: &samples::Sample| visible(&page(sample));
    let race = text(&samples::race());
    let before_steps = |text: &str| text[..text.find("Variable").unwrap()].to_string();
    for words in [
        "writes page.hits (4 bytes)",
        "reads page.hits (4 bytes)",
        "No common lock is held.",
        "locks held: m",
        "locks held: none",
    ] {
        assert!(before_steps(&race).contains(words), "{words}");
    }
    let lost = before_steps(&text(&samples::lost_update()));
    for words in ["x: 1 → 1 (read 0 before T2's write)", "reads x = 1"] {
        assert!(lost.contains(words), "{words}");
    }
    let deadlock = page(&samples::deadlock());
    let label = "wait-for graph: T0 main waits for the end of T1; T1 left waits for mutex b, held by T2 right; \
                 T2 right waits for mutex a, held by T1 left";
    assert!(
        deadlock.contains(&format!("role=\"img\" aria-label=\"{label}\"")),
        "the graph has a text alternative"
    );
}

#[test]
fn arrows_are_what_the_trace_says() {
    let arrows = |page: &str| -> Vec<String> {
        let data = data(page);
        let arrows = data[0]["arrows"].as_array().unwrap();
        arrows
            .iter()
            .map(|a| format!("{} {}-{} {}", a["kind"], a["from"], a["to"], a["what"]).replace('"', ""))
            .collect()
    };
    // Without locations and reads-from, as in old traces, no variable is followed.
    let lost = arrows(&page(&samples::lost_update()));
    assert_eq!(lost, ["create 0-2 T1", "create 1-3 T2", "join 7-8 T1", "join 5-9 T2"]);
    let long = arrows(&bare_page(&pages::violated(pages::long(12))));
    // Steps 2 to 11 belong, in threes, to T0 T1 T1 T1 T2 T2 T2 T0 T0 T0; only reads of another thread's write are drawn.
    assert!(
        long.contains(&"reads-from 2-3 slot[1]".to_string())
            && long.contains(&"reads-from 8-9 slot[4]".to_string()),
        "{long:?}"
    );
    assert!(!long.contains(&"reads-from 4-5 slot[2]".to_string()), "{long:?}");
    assert!(arrows(&page(&samples::race())).contains(&"race 4-5 page.hits".to_string()));
}

/// The relative luminance of a colour, and the ratio of two (WCAG 2.2).
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |colour: &str| {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn colours_can_be_told_from_their_backgrounds() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    let style = include_str!("../../templates/style.css");
    let palettes: Vec<BTreeMap<&str, &str>> = style
        .split('{')
        .filter(|block| block.contains("--back:"))
        .map(|block| {
            let declared = block.split('}').next().unwrap().split(';');
            declared.filter_map(|d| d.trim().strip_prefix("--")?.split_once(": ")).collect()
        })
        .collect();
    assert_eq!(palettes.len(), 3, "light, dark by the system, dark by choice");
    assert_eq!(palettes[1], palettes[2]);
    for palette in &palettes {
        for back in ["back", "panel", "current", "other"] {
            for text in [
                "text", "muted", "accent", "bad", "good", "caution", "value", "t0", "t1", "t2", "t3", "t4",
                "t5",
            ] {
                let ratio = contrast(palette[text], palette[back]);
                assert!(ratio >= 4.5, "{text} {} on {back} {}: {ratio:.2}", palette[text], palette[back]);
            }
        }
    }
}

#[test]
fn controls_have_names() {
    let page = page(&samples::race());
    for control in page.split("<button").skip(1) {
        let (tag, rest) = control.split_once('>').unwrap();
        let words = rest.split("</button>").next().unwrap();
        assert!(tag.contains("aria-label=") || words.chars().any(char::is_alphabetic), "{tag}");
    }
    for id in ["variable", "filter", "trace-choice"] {
        assert!(!page.contains(&format!("id=\"{id}\"")) || page.contains(&format!("for=\"{id}\"")), "{id}");
    }
    assert!(page.contains("id=\"slider\" min=\"1\" value=\"1\" aria-label="));
}
