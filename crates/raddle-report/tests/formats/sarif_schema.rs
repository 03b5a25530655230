//! SARIF 2.1.0: the schema of the standard comes with the package `serde-sarif` and is found in its folder. Its types read the
//! text too; what they do not know they drop, so nothing may be missing when they write it again.

use crate::reports;
use raddle_report::{KnownViolations, SarifOptions, sarif};
use serde_json::Value;
use std::collections::BTreeSet;

/// From the list of sources that the compiler wrote when it built the package for this test.
fn schema() -> Value {
    let built = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let lists = std::fs::read_dir(built).unwrap().map(|entry| entry.unwrap().path());
    let list = lists
        .filter(|path| path.extension().is_some_and(|extension| extension == "d"))
        .find(|path| path.file_name().unwrap().to_string_lossy().starts_with("serde_sarif-"))
        .expect("serde-sarif was built for this test");
    let sources = std::fs::read_to_string(list).unwrap();
    let source = sources.split_whitespace().find(|word| word.ends_with("/src/lib.rs")).unwrap();
    let schema = std::path::Path::new(source).with_file_name("schema.json");
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    // The pattern of a language has a bracket too many, which strict readers of regular expressions refuse.
    for owner in ["run", "toolComponent"] {
        let language = schema.pointer_mut(&format!("/definitions/{owner}/properties/language")).unwrap();
        language.as_object_mut().unwrap().remove("pattern").expect("a pattern");
    }
    schema
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(without_nulls);
        }
        Value::Array(all) => all.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

#[test]
fn every_report_is_valid() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for mut report in reports() {
        let plain = sarif::render(&report, SarifOptions::default());
        let known = KnownViolations::read(&plain).unwrap();
        known.mark(&mut report, "plain.sarif");
        let marked = sarif::render(&report, SarifOptions { exit_code: Some(0) });
        assert_eq!(marked.matches("\"unchanged\"").count(), report.traces.len());
        for text in [plain, marked] {
            let document: Value = serde_json::from_str(&text).unwrap();
            let wrong: Vec<String> =
                validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
            assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
            let typed: serde_sarif::sarif::Sarif = serde_json::from_str(&text).unwrap();
            let mut again = serde_json::to_value(&typed).unwrap();
            without_nulls(&mut again);
            assert_eq!(again, document, "a field that the format does not have");
            // The test can fail.
            let mut broken = document;
            broken["runs"][0]["tool"]["driver"]["nombre"] = "x".into();
            broken["runs"][0]["columnKind"] = "bytes".into();
            assert_eq!(validator.iter_errors(&broken).count(), 2);
        }
    }
}

/// The interleaving can be read from the flows: each step with a place is in the flow of its thread, once, and the
/// orders are those of the trace.
#[test]
fn flows_give_the_interleaving() {
    for report in reports() {
        let document: Value = serde_json::from_str(&sarif::render(&report, SarifOptions::default())).unwrap();
        let results = document["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), report.traces.len());
        for (result, trace) in results.iter().zip(&report.traces) {
            let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
            let mut seen = BTreeSet::new();
            for flow in flows {
                let id: u32 = flow["id"].as_str().unwrap()[1..].split(' ').next().unwrap().parse().unwrap();
                for location in flow["locations"].as_array().unwrap() {
                    let order = location["executionOrder"].as_u64().unwrap();
                    let step = trace.steps.iter().find(|step| step.index == order).unwrap();
                    assert_eq!(step.thread, id);
                    let region = &location["location"]["physicalLocation"]["region"];
                    assert_eq!(
                        region["startLine"].as_u64().unwrap() as u32,
                        step.place.as_ref().unwrap().line
                    );
                    assert!(seen.last().is_none_or(|last| flows.len() > 1 || *last < order));
                    assert!(seen.insert(order), "step {order} twice");
                }
            }
            assert_eq!(seen.len(), trace.steps.iter().filter(|step| step.place.is_some()).count());
            let rule = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(document["runs"][0]["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        }
    }
}

/// Findings of the lint, with all that they can have.
#[test]
fn lint_reports_are_valid() {
    use raddle_trace::{
        Confirmation, LintFinding, LintPlace, LintReport, LintRule, LintSkipped, LintSuppression, Place,
    };
    let place = |line: u32, text: &str| LintPlace {
        role: "takes `b` while holding `a`".into(),
        place: Place::new("a.c", line, 5).in_function("f"),
        line: Some(text.into()),
        locks: vec!["a".into()],
        calls: vec![Place::new("a.c", 40, 1).in_function("main")],
    };
    let finding = |line: u32, text: &str| LintFinding {
        rule: LintRule::LockOrderCycle,
        level: LintRule::LockOrderCycle.level(),
        message: "`a` and `b`".into(),
        places: vec![place(line, text), place(line + 1, "  lock(&a);")],
        suppression: None,
        confirmation: Confirmation::Possible,
    };
    let mut report = LintReport {
        findings: vec![finding(3, "lock(&b);"), finding(9, "lock(&c);")],
        traces: reports().into_iter().flat_map(|report| report.traces).take(1).collect(),
        skipped: vec![LintSkipped { what: "b.c".into(), why: "it does not compile".into() }],
        without_model: vec!["g".into()],
        types: None,
        stats: Default::default(),
        baseline: None,
    };
    report.findings[0].confirmation = Confirmation::Confirmed { trace: 0, under: Some("a harness".into()) };
    report.findings[1].suppression =
        Some(LintSuppression { reason: "why".into(), place: Place::new("a.c", 8, 0) });
    let plain = sarif::lint::render(&report, 1);
    // Other lines, the same text; one is gone.
    let mut later = report.clone();
    later.findings[0].places.iter_mut().for_each(|place| place.place.line += 7);
    later.findings[1].places[0].line = Some("lock(&d);".into());
    KnownViolations::read_lint(&plain).unwrap().mark_lint(&mut later, "plain.sarif");
    assert_eq!(later.baseline.as_ref().unwrap().known, [0]);
    assert_eq!(
        later.exit_code(raddle_trace::LintLevel::Note),
        3,
        "known, suppressed, and a file was skipped"
    );
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for text in [plain, sarif::lint::render(&later, 3)] {
        let document: Value = serde_json::from_str(&text).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
        let typed: serde_sarif::sarif::Sarif = serde_json::from_str(&text).unwrap();
        let mut again = serde_json::to_value(&typed).unwrap();
        without_nulls(&mut again);
        assert_eq!(again, document, "a field that the format does not have");
    }
}
