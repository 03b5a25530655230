//! Every format of every sample against a file in `tests/golden`. `BLESS=1 cargo test` (or `cargo xtask bless`)
//! rewrites the files; read the difference before committing it.

mod samples;

use raddle_report::{
    JunitOptions, MarkdownOptions, SarifOptions, TextOptions, json, junit, markdown, render_report,
    render_trace, sarif,
};
use samples::Sample;
use std::path::PathBuf;

fn check(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "{name} differs (BLESS=1 accepts it)\n--- expected\n{expected}\n--- actual\n{actual}"
    );
}

fn text(sample: &Sample, options: &TextOptions) -> String {
    render_report(&sample.report(), &|file: &str, line: u32| sample.line(file, line), options)
}

#[test]
fn lost_update() {
    check("lost_update.txt", &text(&samples::lost_update(), &TextOptions::default()));
}

#[test]
fn deadlock() {
    check("deadlock.txt", &text(&samples::deadlock(), &TextOptions::default()));
}

#[test]
fn race() {
    check("race.txt", &text(&samples::race(), &TextOptions::default()));
}

#[test]
fn many_threads() {
    check("many_threads.txt", &text(&samples::many_threads(), &TextOptions::default()));
}

#[test]
fn long_run_in_a_narrow_terminal() {
    check("long_run.txt", &text(&samples::long_run(), &TextOptions { width: 72, ..TextOptions::default() }));
}

#[test]
fn plain_lines() {
    let plain = TextOptions { plain: true, ..TextOptions::default() };
    check("plain_race.txt", &text(&samples::race(), &plain));
    check("plain_long_run.txt", &text(&samples::long_run(), &plain));
}

#[test]
fn quiet_with_statistics() {
    let options = TextOptions { quiet: true, stats: true, ..TextOptions::default() };
    check("quiet.txt", &text(&samples::lost_update(), &options));
}

#[test]
fn machine_readable() {
    check("lost_update.sarif", &sarif::render(&samples::lost_update().report(), SarifOptions::default()));
    let (junit_options, markdown_options) = (
        JunitOptions { name: "tickets.c".into(), ..JunitOptions::default() },
        MarkdownOptions { name: "tickets.c".into(), quiet: false },
    );
    let sample = samples::lost_update();
    let lines = |file: &str, line: u32| sample.line(file, line);
    check("lost_update.junit.xml", &junit::render(&sample.report(), &lines, &junit_options));
    check("lost_update.md", &markdown::render(&sample.report(), &lines, &markdown_options));
    check("lost_update.json", &json::render(&samples::lost_update().report()));
}

#[test]
fn the_json_report_reads_back() {
    let report = samples::race().report();
    assert_eq!(raddle_trace::read_report(&json::render(&report)).unwrap(), report);
}

#[test]
fn no_line_is_wider_than_the_terminal_and_colour_moves_nothing() {
    use unicode_width::UnicodeWidthStr;
    let all = [
        samples::lost_update(),
        samples::deadlock(),
        samples::race(),
        samples::many_threads(),
        samples::long_run(),
    ];
    for sample in &all {
        let lines = |file: &str, line: u32| sample.line(file, line);
        for width in [60, 72, 80, 100, 120, 200] {
            let plain = TextOptions { width, ..TextOptions::default() };
            let colour = TextOptions { colour: true, ..plain.clone() };
            let text = render_report(&sample.report(), &lines, &plain);
            for line in text.lines().filter(|line| line.contains('│') || line.contains('╌')) {
                assert!(line.width() <= width, "{width} columns: {line}");
            }
            let painted = render_report(&sample.report(), &lines, &colour);
            let mut stripped = String::new();
            let mut inside = false;
            for c in painted.chars() {
                match c {
                    '\x1b' => inside = true,
                    'm' if inside => inside = false,
                    c if !inside => stripped.push(c),
                    _ => {}
                }
            }
            let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            assert_eq!(trimmed(&stripped), trimmed(&text));
        }
    }
}

#[test]
fn any_width_is_survived() {
    for width in [0, 1, 5, 20, 39] {
        let options = TextOptions { width, ..TextOptions::default() };
        let sample = samples::lost_update();
        assert!(!render_trace(&sample.trace, &|_: &str, _: u32| None, &options).is_empty());
    }
}
