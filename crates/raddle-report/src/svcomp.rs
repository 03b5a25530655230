//! SV-COMP: reading property files, and the verdict of the competition for a report.
//!
//! The properties are those of the competition's rules (`unreach-call`, `no-data-race`, `valid-memsafety`, `no-overflow`,
//! `termination`). Ours are not the same, and where they differ the answer is `UNKNOWN`:
//!
//! - `unreach-call` is about calls of one function, the row `assert` about all assertions: a violation counts only where the
//!   function is on the stack.
//! - `valid-memtrack` holds in every state, the row `leak` is judged where the process ends: a proof needs proofs that it does
//!   end (`termination`, `deadlock`) as well. Uninitialised values are no violation there.
//! - `no-overflow` is about signed arithmetic: divisions, shifts and conversions are no violation.
//! - `termination` means that every execution ends, so a proof needs freedom from deadlocks, and one that rests on fairness
//!   counts for programs without threads only. A program with marks of `raddle_progress` is not of the competition.

use raddle_trace::{Assumption, Property, Report, Trace, Verdict};

/// What a property file requests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyFile {
    checks: Vec<Check>,
}

/// One line of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Check {
    sub: Sub,
    /// As in the file, with single spaces.
    text: String,
}

/// A property of the competition that is judged here.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sub {
    UnreachCall { function: String },
    NoDataRace,
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    NoOverflow,
    Termination,
}

/// Why a property file was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyFileError {
    /// It is none.
    Malformed(String),
    /// It is one, of a property that is not judged.
    Unsupported(String),
}

/// The properties that are judged, for messages.
const KNOWN: &str = "unreach-call, no-data-race, valid-memsafety (valid-free, valid-deref, valid-memtrack), no-overflow and \
                     termination";

impl PropertyFile {
    /// From the text of a `.prp` file.
    pub fn read(text: &str) -> Result<PropertyFile, PropertyFileError> {
        let mut checks = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let sub = sub(&text).map_err(|error| match error {
                PropertyFileError::Malformed(why) => {
                    PropertyFileError::Malformed(format!("line {}: {why}", number + 1))
                }
                other => other,
            })?;
            checks.push(Check { sub, text });
        }
        let Some((first, rest)) = checks.split_first() else {
            return Err(PropertyFileError::Malformed("it has no line `CHECK( ... )`".into()));
        };
        let memory =
            |check: &Check| matches!(check.sub, Sub::ValidFree | Sub::ValidDeref | Sub::ValidMemtrack);
        if !rest.is_empty() && !checks.iter().all(memory) {
            let text = rest.iter().find(|check| !memory(check)).unwrap_or(first).text.clone();
            let message = format!("`{text}` together with other properties; give one property file for each");
            return Err(PropertyFileError::Unsupported(message));
        }
        Ok(PropertyFile { checks })
    }

    /// The rows that decide it.
    pub fn properties(&self) -> Vec<Property> {
        let mut all = Vec::new();
        for check in &self.checks {
            let rows: &[Property] = match check.sub {
                Sub::UnreachCall { .. } => &[Property::Assert],
                Sub::NoDataRace => &[Property::Race],
                Sub::ValidFree | Sub::ValidDeref => &[Property::Memsafety],
                Sub::ValidMemtrack => {
                    &[Property::Memsafety, Property::Leak, Property::Deadlock, Property::Termination]
                }
                Sub::NoOverflow => &[Property::Overflow],
                Sub::Termination => &[Property::Termination, Property::Deadlock],
            };
            for row in rows {
                if !all.contains(row) {
                    all.push(row.clone());
                }
            }
        }
        all
    }

    /// The function that must not be called.
    pub fn error_function(&self) -> Option<&str> {
        self.checks.iter().find_map(|check| match &check.sub {
            Sub::UnreachCall { function } => Some(function.as_str()),
            _ => None,
        })
    }

    /// The answer for a report.
    pub fn answer<'a>(&'a self, report: &'a Report) -> Answer<'a> {
        for row in &report.rows {
            let first = row.trace.into_iter().chain(row.more_traces.iter().copied());
            for trace in first.filter_map(|index| report.traces.get(index)) {
                if let Some(check) = self.checks.iter().find(|check| check.sub.is_violated_by(trace)) {
                    return Answer::False { name: check.sub.name(), specification: &check.text, trace };
                }
            }
        }
        match self.obstacle(report) {
            None => Answer::True { specification: &self.checks[0].text },
            Some(why) => Answer::Unknown { why },
        }
    }

    /// Why the report is no proof.
    fn obstacle(&self, report: &Report) -> Option<String> {
        for property in self.properties() {
            let Some(row) = report.rows.iter().find(|row| row.property == property) else {
                return Some(format!("`{property}` was not judged"));
            };
            match row.verdict() {
                Verdict::Proved => {}
                Verdict::Violated => {
                    return Some(format!(
                        "the violation of `{property}` is none of the property in the file"
                    ));
                }
                verdict => return Some(format!("`{property}` is {verdict}")),
            }
        }
        let fair = report.assumptions.contains(&Assumption::Fairness);
        let sequential = report.reached.as_ref().is_some_and(|r| r.complete && r.threads_created == 0);
        if self.properties().contains(&Property::Termination) && fair && !sequential {
            return Some("the proof of `termination` rests on fairness; try --no-fairness".into());
        }
        None
    }
}

impl Sub {
    fn name(&self) -> &'static str {
        match self {
            Sub::UnreachCall { .. } => "unreach-call",
            Sub::NoDataRace => "no-data-race",
            Sub::ValidFree => "valid-free",
            Sub::ValidDeref => "valid-deref",
            Sub::ValidMemtrack => "valid-memtrack",
            Sub::NoOverflow => "no-overflow",
            Sub::Termination => "termination",
        }
    }

    fn is_violated_by(&self, trace: &Trace) -> bool {
        const DEREF: [&str; 5] =
            ["null-pointer", "wild-pointer", "out-of-bounds", "use-after-free", "dead-variable"];
        let code = trace.fault.code.as_str();
        match self {
            Sub::UnreachCall { function } => {
                // With a body of the program's own the function is on the stack; the library model gives its name.
                let called = |place: &raddle_trace::Place| place.function.as_ref() == Some(function);
                code == "assertion"
                    && (trace.fault.stack.iter().chain(&trace.fault.place).any(called)
                        || trace.fault.message == format!("assertion `{function} is reached` failed"))
            }
            Sub::NoDataRace => code == "data-race",
            Sub::ValidFree => matches!(code, "invalid-free" | "double-free"),
            Sub::ValidDeref => DEREF.contains(&code),
            Sub::ValidMemtrack => code == "leak",
            Sub::NoOverflow => code == "signed-overflow",
            Sub::Termination => code == "non-termination",
        }
    }
}

/// The answer of the competition.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer<'a> {
    True { specification: &'a str },
    False { name: &'static str, specification: &'a str, trace: &'a Trace },
    Unknown { why: String },
}

impl std::fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::True { .. } => f.write_str("TRUE"),
            Answer::False { name, .. } => write!(f, "FALSE({name})"),
            Answer::Unknown { .. } => f.write_str("UNKNOWN"),
        }
    }
}

fn sub(line: &str) -> Result<Sub, PropertyFileError> {
    let unsupported =
        |what: &str| Err(PropertyFileError::Unsupported(format!("`{what}`; known are {KNOWN}")));
    let tight: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    if tight.starts_with("COVER(") && tight.ends_with(')') {
        return unsupported(line);
    }
    let malformed = || {
        let example = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
        PropertyFileError::Malformed(format!("`{line}` is no property; one is `{example}`"))
    };
    let inner = tight.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))"));
    let (function, formula) = inner.and_then(|inner| inner.split_once("()),LTL(")).ok_or_else(malformed)?;
    if function != "main" {
        return unsupported(line);
    }
    if let Some(rest) = formula.strip_prefix("G!call(") {
        let is_name = |name: &&str| {
            !name.is_empty() && name.chars().all(|c: char| c.is_ascii_alphanumeric() || c == '_')
        };
        let function = rest.strip_suffix("())").filter(is_name).ok_or_else(malformed)?;
        return Ok(Sub::UnreachCall { function: function.into() });
    }
    match formula {
        "G!data-race" => Ok(Sub::NoDataRace),
        "Gvalid-free" => Ok(Sub::ValidFree),
        "Gvalid-deref" => Ok(Sub::ValidDeref),
        "Gvalid-memtrack" => Ok(Sub::ValidMemtrack),
        "G!overflow" => Ok(Sub::NoOverflow),
        "Fend" => Ok(Sub::Termination),
        "" => Err(malformed()),
        _ => unsupported(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PropertyFile, PropertyFileError> {
        PropertyFile::read(text)
    }

    #[test]
    fn the_files_of_the_competition() {
        let rows = |text: &str| read(text).unwrap().properties();
        assert_eq!(rows("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), [Property::Assert]);
        assert_eq!(rows("CHECK(init(main()),LTL(G!call(reach_error())))"), [Property::Assert]);
        assert_eq!(rows("\n  CHECK( init(main()), LTL(G ! data-race) )\r\n\n"), [Property::Race]);
        assert_eq!(rows("CHECK( init(main()), LTL(G ! overflow) )"), [Property::Overflow]);
        assert_eq!(rows("CHECK( init(main()), LTL(F end) )"), [Property::Termination, Property::Deadlock]);
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(rows(memory), [Property::Memsafety]);
        let tracked = format!("{memory}CHECK( init(main()), LTL(G valid-memtrack) )\n");
        assert!(rows(&tracked).contains(&Property::Leak) && rows(&tracked).contains(&Property::Termination));
        let file = read("CHECK( init(main()), LTL(G ! call(my_error())) )").unwrap();
        assert_eq!(file.error_function(), Some("my_error"));
    }

    #[test]
    fn what_is_none_of_them() {
        use PropertyFileError::{Malformed, Unsupported};
        for text in [
            "",
            "\n\n",
            "x",
            "CHECK",
            "CHECK( init(main()), LTL() )",
            "CHECK( init(main()), LTL(G ! call()) )",
        ] {
            assert!(matches!(read(text), Err(Malformed(_))), "{text}");
        }
        for text in [
            "CHECK( init(main()), LTL(G valid-memcleanup) )",
            "CHECK( init(other()), LTL(G ! overflow) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "CHECK( init(main()), LTL(G ! deadlock) )",
            "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! data-race) )",
        ] {
            let error = read(text).unwrap_err();
            assert!(
                matches!(&error, Unsupported(what) if what.contains("CHECK") || what.contains("COVER")),
                "{error:?}"
            );
        }
    }

    /// A row that is not proved is never `TRUE`.
    #[test]
    fn only_proofs_are_true() {
        let file = read("CHECK( init(main()), LTL(G ! overflow) )").unwrap();
        let mut coverage = raddle_trace::Coverage::complete(vec![Property::Overflow]);
        let answer = |coverage: raddle_trace::Coverage| {
            let evidence = raddle_trace::Evidence { findings: Vec::new(), coverage: vec![coverage] };
            let report = Report { rows: vec![evidence.conclude(&Property::Overflow)], ..Report::default() };
            file.answer(&report).to_string()
        };
        assert_eq!(answer(coverage.clone()), "TRUE");
        coverage.but(raddle_trace::CaveatKind::Bound, "why");
        assert_eq!(answer(coverage.clone()), "UNKNOWN");
        coverage.but(raddle_trace::CaveatKind::Limit, "why");
        assert_eq!(answer(coverage), "UNKNOWN");
        assert_eq!(file.answer(&Report::default()).to_string(), "UNKNOWN");
    }
}
