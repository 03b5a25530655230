//! `// raddle: allow(rule) because ...`: on the line of a finding, or alone on the line above. A comment without a reason, or with
//! a name that is no rule, suppresses nothing and is a finding of its own.

use std::collections::{BTreeMap, BTreeSet};

use raddle_trace::{Confirmation, LintFinding, LintPlace, LintReport, LintRule, LintSuppression, Place};

use crate::inputs::{Sources, read_regular};

/// As much as is compiled.
const MOST_SOURCE: u64 = 64 << 20;
const MARK: &str = "raddle: allow(";

/// The lines of source files, each file read once.
pub struct SourceTexts {
    /// What the program calls single files, where that is not their path.
    names: BTreeMap<String, std::path::PathBuf>,
    files: BTreeMap<String, Option<Vec<String>>>,
}

impl SourceTexts {
    pub fn new(sources: &Sources) -> SourceTexts {
        let names = sources.names.iter().map(|(path, name)| (name.clone(), path.clone())).collect();
        SourceTexts { names, files: BTreeMap::new() }
    }

    pub fn lines(&mut self, file: &str) -> Option<&Vec<String>> {
        let names = &self.names;
        let lines = self.files.entry(file.to_string()).or_insert_with(|| {
            let path = names.get(file).cloned().unwrap_or_else(|| file.into());
            let bytes = read_regular(&path, MOST_SOURCE).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
        });
        lines.as_ref()
    }

    pub fn line(&mut self, file: &str, line: u32) -> Option<String> {
        self.lines(file)?.get((line as usize).checked_sub(1)?).cloned()
    }
}

/// One comment.
struct Allowed {
    rule: Result<LintRule, String>,
    reason: Option<String>,
}

fn allowed(line: &str) -> Option<Allowed> {
    let comment = line.find("//").or_else(|| line.find("/*"))?;
    let at = line[comment..].find(MARK)? + comment + MARK.len();
    let (name, rest) = line[at..].split_once(')')?;
    let rest = rest.trim().trim_end_matches("*/").trim();
    let reason = rest.strip_prefix("because").map(str::trim).filter(|reason| !reason.is_empty());
    let rule = name.trim().parse().map_err(|_| name.trim().to_string());
    Some(Allowed { rule, reason: reason.map(str::to_string) })
}

fn is_alone(line: &str) -> bool {
    let start = line.trim_start();
    start.starts_with("//") || start.starts_with("/*")
}

/// Marks suppressed findings, and adds those of comments that suppress nothing.
pub fn apply(texts: &mut SourceTexts, rules: &BTreeSet<LintRule>, report: &mut LintReport) {
    for finding in &mut report.findings {
        let Some(first) = finding.places.first().cloned() else { continue };
        finding.suppression = suppression(texts, finding.rule, &first.place);
    }
    if !rules.contains(&LintRule::Suppression) {
        return;
    }
    let files: Vec<String> = texts.files.keys().cloned().collect();
    for file in files {
        for (index, line) in texts.lines(&file).cloned().unwrap_or_default().iter().enumerate() {
            let Some(found) = allowed(line) else { continue };
            let message = match (&found.rule, &found.reason) {
                (Err(name), _) => format!("`{name}` is not a rule; `raddle lint --help` lists them"),
                (Ok(rule), None) => format!("the suppression of {rule} gives no reason: add `because ...`"),
                (Ok(_), Some(_)) => continue,
            };
            let column = line.find(MARK).unwrap_or_default() as u32 + 1;
            report.findings.push(LintFinding {
                rule: LintRule::Suppression,
                level: LintRule::Suppression.level(),
                message,
                places: vec![LintPlace {
                    role: "suppresses nothing".into(),
                    place: Place::new(file.clone(), index as u32 + 1, column),
                    line: Some(line.clone()),
                    locks: Vec::new(),
                    calls: Vec::new(),
                }],
                suppression: None,
                confirmation: Confirmation::Possible,
            });
        }
    }
}

fn suppression(texts: &mut SourceTexts, rule: LintRule, place: &Place) -> Option<LintSuppression> {
    for line in [place.line, place.line.checked_sub(1)?] {
        let text = texts.line(&place.file, line)?;
        let is_above = line != place.line;
        if is_above && !is_alone(&text) {
            continue;
        }
        let Some(found) = allowed(&text) else { continue };
        if let (Ok(named), Some(reason)) = (found.rule, found.reason)
            && named == rule
        {
            return Some(LintSuppression { reason, place: Place::new(place.file.clone(), line, 0) });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        let of = |line: &str| allowed(line).map(|a| (a.rule, a.reason));
        assert_eq!(of("x++;"), None);
        assert_eq!(of("raddle: allow(stale-value) because"), None, "no comment");
        let good = of("x = 1; // raddle: allow(stale-value) because one writer");
        assert_eq!(good, Some((Ok(LintRule::StaleValue), Some("one writer".into()))));
        let old = of("/* raddle: allow(stale-value) because one writer */");
        assert_eq!(old, Some((Ok(LintRule::StaleValue), Some("one writer".into()))));
        assert_eq!(of("// raddle: allow(stale-value)"), Some((Ok(LintRule::StaleValue), None)));
        assert_eq!(of("// raddle: allow(x) because y"), Some((Err("x".into()), Some("y".into()))));
    }
}
