//! Findings of `raddle lint`: a type of their own beside violations. A violation was executed; a finding of the lint is what
//! a static analysis takes for a defect, until an execution confirms it.
//!
//! [`LintRule`] is the one table of rules: names, levels and documentation are the same on the command line, in reports
//! and in `docs/lint.md`.

use crate::report::Baseline;
use crate::stats::Stats;
use crate::trace::{Place, Trace, tool_version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The `format` of a lint report.
pub const LINT_FORMAT: &str = "raddle-lint";
/// The version of the lint report that is written.
pub const LINT_VERSION: u32 = 1;

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LintLevel {
    Note,
    Warning,
    Error,
}

impl LintLevel {
    pub fn word(self) -> &'static str {
        match self {
            LintLevel::Note => "note",
            LintLevel::Warning => "warning",
            LintLevel::Error => "error",
        }
    }
}

impl fmt::Display for LintLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

macro_rules! rules {
    ($($variant:ident = $name:literal, $level:ident, $title:literal, $text:literal;)*) => {
        /// A rule of the lint.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum LintRule { $(#[serde(rename = $name)] $variant,)* }

        impl LintRule {
            pub const ALL: &'static [LintRule] = &[$(LintRule::$variant,)*];

            /// As on the command line.
            pub fn name(self) -> &'static str {
                match self { $(LintRule::$variant => $name,)* }
            }
            /// The level of its findings, where a finding has none of its own.
            pub fn level(self) -> LintLevel {
                match self { $(LintRule::$variant => LintLevel::$level,)* }
            }
            /// A few words.
            pub fn title(self) -> &'static str {
                match self { $(LintRule::$variant => $title,)* }
            }
            /// One paragraph: what is found, and what to do.
            pub fn describe(self) -> &'static str {
                match self { $(LintRule::$variant => $text,)* }
            }
        }
    };
}

rules! {
    LockOrderCycle = "lock-order-cycle", Error, "locks taken in a cyclic order",
        "Threads that may run in parallel take the same locks in different orders, or two locks of one kind in an order that \
         depends on their arguments: each can hold one and wait for the other. Take locks in one order everywhere, for instance \
         by address or number. A lock that all of them hold at that time excludes the cycle.";
    RaceMajorityGuard = "race-majority-guard", Warning, "access without the lock that guards the others",
        "Two threads access the same object without a lock in common, and at least one writes; or nearly all accesses of an object \
         hold a lock and this one does not. Hold the lock at every access, or make all of them atomic.";
    WaitOutsideLoop = "wait-outside-loop", Warning, "condition wait outside a loop",
        "A wait on a condition variable may end without a signal, and its condition may be false again when it returns. Wait in a \
         loop that tests the condition with the mutex held.";
    WaitWithoutMutex = "wait-without-mutex", Error, "condition wait without its mutex",
        "A wait on a condition variable gives up its mutex, which the thread does not hold here: the behaviour is undefined. Take \
         the mutex before the condition is tested.";
    LostSignal = "lost-signal", Warning, "signal that can be lost",
        "A condition is changed without the mutex of its waiters, or tested without it before the wait: a signal between the test \
         and the wait wakes no thread. Test and change the condition with the mutex held.";
    DoubleCheckedLocking = "double-checked-locking", Error, "double-checked locking without atomics",
        "A variable is tested without the lock, and tested and set again with it. The first test is a data race: a thread may see \
         the pointer before what it points to. Make the variable atomic, or use a function that runs once.";
    LockNotReleased = "lock-not-released", Warning, "lock not released on a path",
        "Some paths through a function return with a lock held that it takes and that other paths release, and no caller \
         releases it. Release the lock on every path, also on that of an error.";
    EscapingLocal = "escaping-local", Error, "address of a local given to a thread that outlives it",
        "A thread is given the address of a local variable of a function that returns without joining it. Its accesses are then \
         accesses of a dead object. Allocate the argument, or join the thread before the return.";
    VolatileAsSync = "volatile-as-sync", Warning, "volatile as synchronisation",
        "Threads communicate through a volatile variable without a lock. `volatile` neither makes the accesses atomic nor orders \
         others around them. Use an atomic variable.";
    AtomicReadThenWrite = "atomic-read-then-write", Warning, "atomic read and write that should be one update",
        "An atomic variable is read, and a value computed from it is stored in a second step, although other threads write it too: \
         an update in between is lost. Use one atomic update or a compare-exchange.";
    MutexCopied = "mutex-copied", Warning, "lock copied by value",
        "Bytes that contain a lock are copied. The copy is another lock, perhaps a held one, and excludes no thread that uses the \
         original. Pass a pointer.";
    BlockingCallUnderSpinlock = "blocking-call-under-spinlock", Warning, "blocking call under a spin lock",
        "A call that may sleep, wait or do input or output is made while a spin lock is held: other threads burn their time \
         until it returns. Make the call after the release, or use a mutex.";
    TrylockIgnored = "trylock-ignored", Warning, "result of a try or timed lock ignored",
        "A lock is tried or taken with a time limit and the result is not tested: where it fails, the following accesses are \
         unprotected and the release gives back what another thread holds. Test the result.";
    StaleValue = "stale-value", Warning, "stale value written back",
        "A value is read under one holding of a lock and what is computed from it is written back under another: what other \
         threads wrote in between is lost. Keep the lock from the read to the write, or test that the value has not changed.";
    MethodViews = "method-views", Note, "values that belong together read in separate sections",
        "A function accesses variables in separate critical sections of a lock, and another thread updates them together in one: \
         what the function sees may never have existed at one time. Access them in one section.";
    NotAtomic = "not-atomic", Error, "function declared atomic that is not",
        "A function is declared RADDLE_ATOMIC, and between two places of one call another thread can see what the call did \
         before and change what it sees afterwards. Keep one lock from the first place to the second, or make one atomic step \
         of the two.";
    AnnotationViolated = "annotation-violated", Error, "annotation that the program violates",
        "A variable that is declared RADDLE_GUARDED_BY a lock is accessed without it, a function that RADDLE_REQUIRES a lock is \
         called without it, a variable that is RADDLE_NOT_SHARED is accessed by two threads; or an annotation names no lock. \
         Correct the code or the annotation.";
    UnjoinedThread = "unjoined-thread", Note, "thread neither joined nor detached",
        "A thread is created, and nothing joins or detaches it: its resources stay until the process ends, and no other thread \
         waits for its work.";
    Suppression = "suppression", Warning, "suppression without a reason",
        "A comment `raddle: allow(rule)` names no rule of the lint, or gives no reason after `because`. It suppresses nothing.";
}

impl fmt::Display for LintRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LintRule {
    type Err = String;

    fn from_str(text: &str) -> Result<LintRule, String> {
        LintRule::ALL.iter().copied().find(|rule| rule.name() == text).ok_or_else(|| {
            let names: Vec<&str> = LintRule::ALL.iter().map(|rule| rule.name()).collect();
            format!("no such rule; known are {}", names.join(", "))
        })
    }
}

/// One place of a finding. The first of a finding is where it is reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintPlace {
    /// What happens here, in a few words: `takes b while holding a`.
    pub role: String,
    pub place: Place,
    /// The text of the source line, where it can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// C paths of the locks that are held here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<String>,
    /// The calls that lead here, innermost first; the last is in the function in which the thread starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Place>,
}

/// `// raddle: allow(rule) because REASON`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintSuppression {
    pub reason: String,
    pub place: Place,
}

/// What an execution says of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Confirmation {
    /// No execution was looked for, or none was found.
    #[default]
    Possible,
    /// An execution was found and replayed.
    Confirmed {
        /// Its trace, as an index into those of the report.
        trace: usize,
        /// What was assumed beside the program: the harness that calls it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        under: Option<String>,
    },
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintFinding {
    pub rule: LintRule,
    pub level: LintLevel,
    /// One sentence.
    pub message: String,
    /// At least one.
    pub places: Vec<LintPlace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<LintSuppression>,
    #[serde(default)]
    pub confirmation: Confirmation,
}

/// Something that was not analysed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintSkipped {
    /// A file or function.
    pub what: String,
    pub why: String,
}

/// The atomicity of a function, as it is inferred.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintFunctionType {
    pub function: String,
    pub place: Place,
    /// `atomic`, `both-mover`, `m ? both-mover : compound`.
    pub atomicity: String,
}

/// What guards a variable that several threads access.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintVariableType {
    pub variable: String,
    /// A lock as C text, or what keeps the accesses apart otherwise, or `none`.
    pub guard: String,
    /// One access.
    pub place: Place,
}

/// Inferred types (`--show types`).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintTypes {
    pub functions: Vec<LintFunctionType>,
    pub variables: Vec<LintVariableType>,
    /// Why there are none, with places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_inferred: Vec<String>,
}

/// The answer of `raddle lint`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LintReport {
    pub findings: Vec<LintFinding>,
    /// Executions that confirm findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<LintSkipped>,
    /// Functions without a body or model, which count as having no effect on locks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_model: Vec<String>,
    /// If they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<LintTypes>,
    /// What the analysis cost, if it was asked for.
    #[serde(default, skip_serializing_if = "Stats::is_empty")]
    pub stats: Stats,
    /// The comparison with an earlier report; `known` are indices of findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
}

impl LintReport {
    /// Whether a finding counts for the exit code: it is neither suppressed nor in the baseline.
    pub fn counts(&self, index: usize) -> bool {
        self.findings[index].suppression.is_none()
            && !self.baseline.as_ref().is_some_and(|baseline| baseline.known.contains(&index))
    }

    /// 1: a finding of this level or above counts; 3: something was skipped; 0.
    pub fn exit_code(&self, fail_on: LintLevel) -> u8 {
        let fails = |index: &usize| self.findings[*index].level >= fail_on && self.counts(*index);
        match (0..self.findings.len()).any(|index| fails(&index)) {
            true => 1,
            false if !self.skipped.is_empty() => 3,
            false => 0,
        }
    }

    /// The last line of every output for people.
    pub fn summary(&self) -> String {
        let shown = || self.findings.iter().filter(|finding| finding.suppression.is_none());
        let of = |level: LintLevel| shown().filter(|finding| finding.level == level).count();
        let confirmed = |finding: &&LintFinding| finding.confirmation != Confirmation::Possible;
        format!(
            "lint: {} errors, {} warnings, {} notes, {} confirmed",
            of(LintLevel::Error),
            of(LintLevel::Warning),
            of(LintLevel::Note),
            shown().filter(confirmed).count()
        )
    }
}

/// The report with its header.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct LintDocument<'a> {
    format: &'static str,
    format_version: u32,
    tool_version: &'static str,
    #[serde(flatten)]
    report: &'a LintReport,
}

/// The JSON text of a report, ending in a newline.
pub fn write_lint(report: &LintReport) -> String {
    let document = LintDocument {
        format: LINT_FORMAT,
        format_version: LINT_VERSION,
        tool_version: tool_version(),
        report,
    };
    // Strings, numbers and lists only: serialising cannot fail.
    let mut text = serde_json::to_string_pretty(&document).expect("a lint report always serialises");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(level: LintLevel) -> LintFinding {
        LintFinding {
            rule: LintRule::StaleValue,
            level,
            message: String::new(),
            places: Vec::new(),
            suppression: None,
            confirmation: Confirmation::Possible,
        }
    }

    #[test]
    fn names_read_back() {
        for rule in LintRule::ALL {
            assert_eq!(rule.name().parse(), Ok(*rule));
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.name());
        }
        assert!("locks".parse::<LintRule>().unwrap_err().contains("stale-value"));
    }

    #[test]
    fn what_counts_for_the_exit_code() {
        let mut report = LintReport { findings: vec![finding(LintLevel::Warning)], ..Default::default() };
        assert_eq!(report.summary(), "lint: 0 errors, 1 warnings, 0 notes, 0 confirmed");
        let codes = |report: &LintReport| {
            [LintLevel::Error, LintLevel::Warning, LintLevel::Note].map(|level| report.exit_code(level))
        };
        assert_eq!(codes(&report), [0, 1, 1]);
        report.skipped.push(LintSkipped { what: "a.c".into(), why: "why".into() });
        assert_eq!(codes(&report), [3, 1, 1]);
        report.baseline = Some(Baseline { file: "old".into(), known: vec![0] });
        assert_eq!(codes(&report), [3, 3, 3]);
    }
}
