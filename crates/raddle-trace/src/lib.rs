//! The input and output of an engine: properties, verdicts, assumptions, bounds, statistics, and the trace of a
//! violation.
//!
//! This crate depends on no other crate of raddle. A [`Trace`] is a self-contained, versioned value: it can be shown
//! with neither the program nor the engine, and holds a [`ReplayScript`] to run it again.
//!
//! Absent from here: anything that executes, anything that reads a file, anything that prints.

mod assumptions;
mod bounds;
mod caveat;
mod conclusion;
mod content_hash;
mod coverage;
mod effort;
mod engine;
mod event;
mod fault;
mod json;
mod lint;
mod location;
mod missing;
mod property;
mod reached;
mod report;
mod schema;
mod stats;
mod trace;
mod validate;
mod verdict;

pub use assumptions::{Assumption, Assumptions};
pub use bounds::Bounds;
pub use caveat::{Caveat, CaveatKind, Rows};
pub use conclusion::{Evidence, Finding, Proof};
pub use content_hash::ContentHash;
pub use coverage::{CompletedBound, Coverage, Extent};
pub use effort::{AfterFinding, Effort, STEPS_OF_A_CONFLICT, STEPS_OF_A_STATE, STEPS_OF_AN_EVENT};
pub use engine::{Budget, Observer, Progress, Silent, StopReason};
pub use event::Event;
pub use fault::{Access, BlockedThread, DeadlockScope, Fault, FaultDetails};
pub use json::{
    Document, REPORT_FORMAT, REPORT_VERSION, ReadError, ReadErrorKind, TRACE_FORMAT, TRACE_VERSION,
    read_document, read_json, read_report, read_traces, write_json, write_report,
};
pub use lint::{
    Confirmation, LINT_FORMAT, LINT_VERSION, LintFinding, LintFunctionType, LintLevel, LintPlace, LintReport,
    LintRule, LintSkipped, LintSuppression, LintTypes, LintVariableType, write_lint,
};
pub use location::Location;
pub use missing::{MissingDefinition, MissingKind};
pub use property::{Property, PropertyParseError};
pub use reached::Reached;
pub use report::{Baseline, PropertyResult, Report};
pub use schema::{report_schema, trace_schema};
pub use stats::{StatValue, Stats};
pub use trace::{
    BooleanStep, Cycle, GeneratedSource, InputFile, Place, ProgramIdentity, ReplayScript, ScheduleStep,
    ThreadInfo, Trace, TraceStep, TransitionStep, tool_version,
};
pub use validate::Inconsistency;
pub use verdict::Verdict;
