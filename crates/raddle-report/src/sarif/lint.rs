//! Findings of the lint in SARIF: the other places are related locations, a confirming execution is the code flow, comments that
//! allow a finding are suppressions (section 3.35), and rules have their documentation.

use super::{
    Configuration, Driver, Invocation, Log, Notification, Rule, Run, SarifResult, SarifSuppression, Tool,
    code_flows, location, message,
};
use crate::fingerprint::{LINT_NAME, lint_fingerprint};
use raddle_trace::{Confirmation, LintFinding, LintLevel, LintReport, LintRule, tool_version};
use std::collections::BTreeMap;

/// The SARIF text, ending in a newline. `exit_code`: of the process.
pub fn render(report: &LintReport, exit_code: u8) -> String {
    // Strings, numbers and lists only: serialising cannot fail.
    let mut text = serde_json::to_string_pretty(&log(report, exit_code)).expect("SARIF always serialises");
    text.push('\n');
    crate::wrap::escaped_in_json(&text)
}

fn log(report: &LintReport, exit_code: u8) -> Log {
    let skipped = report.skipped.iter().map(|skipped| Notification {
        level: "warning",
        message: message(format!("{} was skipped: {}", skipped.what, skipped.why)),
    });
    let results = report.findings.iter().enumerate().map(|(index, finding)| SarifResult {
        baseline_state: report.baseline.as_ref().map(|baseline| match baseline.known.contains(&index) {
            true => "unchanged",
            false => "new",
        }),
        ..result(report, finding)
    });
    let rule = |rule: &LintRule| Rule {
        id: rule.name(),
        short_description: message(rule.title().into()),
        help: message(rule.describe().into()),
        default_configuration: Configuration { level: level(rule.level()) },
    };
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: vec![Run {
            invocations: vec![Invocation {
                execution_successful: true,
                exit_code,
                tool_execution_notifications: skipped.collect(),
            }],
            results: results.collect(),
            column_kind: "unicodeCodePoints",
            tool: Tool {
                driver: Driver {
                    name: "raddle",
                    semantic_version: tool_version(),
                    rules: LintRule::ALL.iter().map(rule).collect(),
                },
            },
        }],
    }
}

fn level(level: LintLevel) -> &'static str {
    level.word()
}

fn result(report: &LintReport, finding: &LintFinding) -> SarifResult {
    let mut text = finding.message.clone();
    let mut flows = Vec::new();
    if let Confirmation::Confirmed { trace, under } = &finding.confirmation {
        text += match under {
            Some(_) => " (confirmed by an execution, under assumptions)",
            None => " (confirmed by an execution)",
        };
        flows = report.traces.get(*trace).map(code_flows).unwrap_or_default();
    }
    let first = finding.places.first();
    let related = finding.places.iter().skip(1).map(|p| location(&p.place, Some(p.role.clone())));
    let suppressions = finding.suppression.iter().map(|suppression| SarifSuppression {
        kind: "inSource",
        justification: suppression.reason.clone(),
        location: location(&suppression.place, None),
    });
    SarifResult {
        rule_id: finding.rule.name(),
        rule_index: LintRule::ALL.iter().position(|rule| *rule == finding.rule).unwrap_or_default(),
        level: level(finding.level),
        message: message(text),
        locations: first.iter().map(|p| location(&p.place, Some(p.role.clone()))).collect(),
        related_locations: related.collect(),
        code_flows: flows,
        partial_fingerprints: BTreeMap::from([(LINT_NAME, lint_fingerprint(finding))]),
        baseline_state: None,
        suppressions: suppressions.collect(),
    }
}
