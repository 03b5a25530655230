//! `raddle check`: from arguments to a request, from an outcome to a report and an exit code.

use crate::arguments::{
    CheckArguments, DataModelArgument, FailOnArgument, FormatArgument, MemoryModelArgument, OptimizeArgument,
    OrderingArgument, ReductionArgument, SearchArgument, StoreArgument, VolatileArgument, restriction,
};
use crate::inapplicable::inapplicable;
use crate::output::{OutputFile, numbered};
use crate::progress::{Found, ProgressLine};
use crate::signals::{self, First};
use crate::source_files::{OwnSources, SourceFiles};
use crate::watchdog::Watchdog;
use crate::{INPUT, LOST, USAGE, baseline, guard, stand_ins, svcomp, terminal};
use raddle_driver::{
    CheckRequest, CompileOptions, DataModel, DriverError, DriverErrorKind, ExplicitOptions, GivenFile,
    HarnessOptions, MemoryModel, OptimizeLevel, OrderingOption, RequestedBounds, SemanticOptions,
    StorageOption, SymbolicOptions, ThreadSystemOptions, VolatileOrder,
};
use raddle_report::{
    Gate, HtmlOptions, JunitOptions, KnownViolations, MarkdownOptions, PropertyFile, SarifOptions,
    TextOptions, baseline_sentence, html, json, junit, markdown, printable, render_report, sarif,
};
use raddle_trace::{
    AfterFinding, Assumption, Budget, CaveatKind, Coverage, Evidence, Finding, Property, Report, Verdict,
    write_json,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs it; the result is the exit code.
pub fn check(arguments: &CheckArguments) -> u8 {
    let inapplicable = inapplicable(arguments).map(|found| found.message);
    if let Some(message) = inapplicable.or_else(|| clobbering(arguments)) {
        terminal::complain(&message);
        return USAGE;
    }
    let claimed = arguments.output.as_deref().map(OutputFile::claim).transpose();
    let claimed_trace = arguments.save_trace.as_deref().map(OutputFile::claim).transpose();
    let (output, trace_file) = match (claimed, claimed_trace) {
        (Ok(output), Ok(trace_file)) => (output, trace_file),
        (Err(message), _) | (_, Err(message)) => {
            terminal::complain(&message);
            return USAGE;
        }
    };
    let known = match baseline::read(arguments) {
        Ok(known) => known,
        Err(message) => {
            terminal::complain(&message);
            return INPUT;
        }
    };
    let task = match svcomp::prepare(arguments) {
        Ok(task) => task,
        Err((message, code)) => {
            terminal::complain(&message);
            return code;
        }
    };
    let property_file = task.as_ref().map(|task| &task.file);
    let mut request = request(arguments, property_file);
    if let Err(error) = give_files(arguments, &mut request.semantics) {
        return fail(&error);
    }
    signals::listen(&request.budget, First::Finish);
    if let Err(code) = stand_ins::add(arguments, &mut request) {
        return code;
    }
    let mut progress = ProgressLine::new(arguments.quiet);
    let watchdog =
        watch(arguments, &request, (known.clone(), property_file.cloned()), progress.found.clone());
    let outcome = raddle_driver::check(&request, &mut progress);
    progress.clear();
    watchdog.call_off();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return fail(&error),
    };
    for warning in &outcome.warnings {
        terminal::complain(&format!("warning: {warning}"));
    }
    let mut report = outcome.report;
    let configured = arguments.configured.as_ref().and_then(|configured| configured.meaning.clone());
    report.assumptions.merge(&configured.map(Assumption::Configuration).into_iter().collect());
    mark_known(&mut report, arguments, known.as_ref());
    let saved = match (trace_file, &arguments.save_trace) {
        (Some(file), Some(path)) => save_traces(&report, file, path),
        _ => Ok(()),
    };
    if let Err(message) = &saved {
        terminal::complain(message);
    }
    if let (true, Some(path)) = (report.traces.is_empty() && !arguments.quiet, &arguments.save_trace) {
        terminal::complain(&format!("{} is not written: nothing is violated", path.display()));
    }
    let mut delivered = deliver(&report, arguments, output);
    if let Some(task) = task {
        delivered &= task.finish(&report, arguments);
    }
    if saved.is_ok() && delivered { gate(arguments).exit_code(&report) } else { LOST }
}

/// Reads the files of `--file` and `--stdin`.
fn give_files(arguments: &CheckArguments, semantics: &mut SemanticOptions) -> Result<(), DriverError> {
    for (path, from) in &arguments.files {
        semantics.files.push(GivenFile::read(path, from)?);
    }
    if let Some(from) = &arguments.stdin {
        semantics.standard_input = Some(GivenFile::read(&from.display().to_string(), from)?);
    }
    Ok(())
}

/// Which verdicts make the run fail.
fn gate(arguments: &CheckArguments) -> Gate {
    Gate(arguments.fail_on.map(|level| match level {
        FailOnArgument::Violated => Verdict::Violated,
        FailOnArgument::Unknown => Verdict::Unknown,
        FailOnArgument::Bounded => Verdict::Bounded,
    }))
}

fn mark_known(report: &mut Report, arguments: &CheckArguments, known: Option<&KnownViolations>) {
    if let (Some(known), Some(path)) = (known, &arguments.baseline) {
        known.mark(report, &path.display().to_string());
    }
}

/// Writes the report to the requested place, or to wherever it can still be read; `false` if something was lost.
fn deliver(report: &Report, arguments: &CheckArguments, output: Option<OutputFile>) -> bool {
    let text = render(report, arguments, output.is_some());
    let baseline = baseline_sentence(report).map(|sentence| printable(&sentence) + "\n");
    let line = format!("{}result: {}\n", baseline.unwrap_or_default(), report.verdict());
    let written = output.map(|file| file.write(&text));
    let printed = match &written {
        None => terminal::print(&text),
        Some(Ok(())) if matches!(arguments.format, FormatArgument::Json | FormatArgument::Sarif) => true,
        Some(Ok(())) => terminal::print(&line),
        // What was to be in the file.
        Some(Err(message)) => {
            terminal::complain(message);
            terminal::print(&text)
        }
    };
    if !printed {
        terminal::complain(line.trim_end());
    }
    printed && written.is_none_or(|written| written.is_ok())
}

/// A watchdog that reports for a run which does not stop at its limits: what was found until then is not lost.
fn watch(
    arguments: &CheckArguments,
    request: &CheckRequest,
    (known, property_file): (Option<KnownViolations>, Option<PropertyFile>),
    found: Found,
) -> Watchdog {
    let (arguments, properties) = (arguments.clone(), request.properties.clone());
    Watchdog::start(&request.budget, move |why| {
        let found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut evidence = Evidence::default();
        for (trace, (property, _)) in found.iter().enumerate() {
            evidence.findings.push(Finding::new(property.clone(), trace));
        }
        let why = format!("{} (the search did not stop in time and was terminated)", why.sentence());
        evidence.coverage.push(Coverage::none(properties.clone(), CaveatKind::Limit, why));
        let mut report = Report {
            rows: properties.iter().map(|property| evidence.conclude(property)).collect(),
            traces: found.iter().map(|(_, trace)| trace.clone()).collect(),
            ..Report::default()
        };
        mark_known(&mut report, &arguments, known.as_ref());
        raddle_driver::temporary::remove_all();
        let output = arguments.output.as_deref().map(OutputFile::claim).transpose().unwrap_or_default();
        let saved = arguments.save_trace.as_deref().is_none_or(|path| {
            OutputFile::claim(path).and_then(|file| save_traces(&report, file, path)).is_ok()
        });
        let mut delivered = deliver(&report, &arguments, output) && saved;
        if let Some(file) = &property_file {
            // A witness is not worth more time.
            delivered &= terminal::print(&svcomp::line(file, &report));
        }
        std::process::exit(i32::from(if delivered { gate(&arguments).exit_code(&report) } else { LOST }));
    })
}

/// Whether one of the files to be written is an input, or both are the same.
fn clobbering(arguments: &CheckArguments) -> Option<String> {
    let same = |a: &Path, b: &Path| {
        a == b || a.canonicalize().ok().is_some_and(|a| b.canonicalize().ok() == Some(a))
    };
    if let (Some(output), Some(trace)) = (&arguments.output, &arguments.save_trace)
        && same(output, trace)
        && !output.metadata().is_ok_and(|found| !found.is_file())
    {
        return Some(format!("--output and --save-trace both name {}", output.display()));
    }
    let mut written: Vec<PathBuf> = arguments.output.iter().chain(&arguments.witnesses).cloned().collect();
    let is_device = |path: &Path| path.metadata().is_ok_and(|found| !found.is_file());
    let twice = written
        .iter()
        .enumerate()
        .find(|(at, path)| !is_device(path) && written[..*at].iter().any(|other| same(other, path)));
    if let Some((_, path)) = twice {
        return Some(format!("{} is named by two options", path.display()));
    }
    // A trace for each row that is violated, at most.
    let rows = MOST_PROPERTIES.max(arguments.properties.len() + arguments.invariants.len());
    written.extend(arguments.save_trace.iter().flat_map(|path| (1..=rows).map(|n| numbered(path, n))));
    written.retain(|path| path.is_file());
    if written.is_empty() {
        return None;
    }
    let sources = raddle_driver::source_files(&arguments.inputs);
    let read = || {
        arguments
            .inputs
            .iter()
            .chain(&arguments.models)
            .chain(arguments.files.iter().map(|(_, from)| from))
            .chain(&arguments.stdin)
            .chain(&arguments.baseline)
            .chain(&arguments.svcomp)
            .chain(&sources)
    };
    let clobbered = written.iter().find(|path| read().any(|input| input.is_file() && same(input, path)))?;
    Some(format!("{} is an input and would be overwritten", clobbered.display()))
}

/// No more are asked for by default.
const MOST_PROPERTIES: usize = 32;

/// Says what went wrong; the result is the exit code.
pub fn fail(error: &DriverError) -> u8 {
    match error.kind {
        DriverErrorKind::Internal => guard::internal_error(&error.to_string()),
        _ => terminal::complain(&error.to_string()),
    }
    error.kind.exit_code()
}

fn render(report: &Report, arguments: &CheckArguments, to_file: bool) -> String {
    let inputs: Vec<String> = arguments.inputs.iter().map(|path| path.display().to_string()).collect();
    match arguments.format {
        FormatArgument::Json => json::render(report),
        FormatArgument::Sarif => {
            sarif::render(report, SarifOptions { exit_code: Some(gate(arguments).exit_code(report)) })
        }
        FormatArgument::Junit => {
            let files = SourceFiles::new(arguments.restrict_includes.is_some());
            let options =
                JunitOptions { name: inputs.join(", "), gate: gate(arguments), quiet: arguments.quiet };
            junit::render(report, &files, &options)
        }
        FormatArgument::Markdown => {
            let files = SourceFiles::new(arguments.restrict_includes.is_some());
            let options = MarkdownOptions { name: inputs.join(", "), quiet: arguments.quiet };
            markdown::render(report, &files, &options)
        }
        FormatArgument::Html => {
            let options = HtmlOptions {
                title: inputs.join(", "),
                saved_trace: arguments.save_trace.as_ref().map(|path| path.display().to_string()),
                quiet: arguments.quiet,
            };
            html::render_report(report, &OwnSources::of(&report.traces, None), &options)
        }
        FormatArgument::Text => {
            let options = TextOptions {
                width: terminal::width(),
                colour: !to_file && terminal::colour(arguments.color),
                quiet: arguments.quiet,
                stats: arguments.stats,
                full: arguments.full,
                plain: arguments.plain,
                saved_trace: arguments.save_trace.as_ref().map(|path| path.display().to_string()),
            };
            let files = SourceFiles::new(arguments.restrict_includes.is_some());
            render_report(report, &files, &options)
        }
    }
}

/// The trace of the first violated row goes to the file, those of further rows beside it; what is violated at other
/// places as well is in the report in JSON. Without a violation no file appears.
fn save_traces(report: &Report, file: OutputFile, path: &Path) -> Result<(), String> {
    let mut file = Some(file);
    let traces = report.rows.iter().filter_map(|row| report.trace_of(row));
    for (position, trace) in traces.enumerate() {
        let file = match file.take() {
            Some(first) => first,
            None => OutputFile::claim(&numbered(path, position + 1))?,
        };
        file.write(&write_json(trace))?;
    }
    Ok(())
}

/// Whether a reduction is asked for; without a list, all are.
fn reduces(arguments: &CheckArguments, reduction: ReductionArgument) -> bool {
    arguments.reduction.is_empty() || arguments.reduction.contains(&reduction)
}

fn request(arguments: &CheckArguments, property_file: Option<&PropertyFile>) -> CheckRequest {
    let mut properties = match property_file {
        Some(file) => file.properties(),
        None => arguments.properties.clone(),
    };
    if properties.is_empty() {
        properties = raddle_driver::default_properties(&arguments.inputs);
    }
    properties.extend(arguments.invariants.iter().cloned().map(Property::Invariant));
    let mut distinct = Vec::new();
    for property in properties {
        if !distinct.contains(&property) {
            distinct.push(property);
        }
    }
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    CheckRequest {
        inputs: arguments.inputs.clone(),
        properties: distinct,
        propositions: arguments.propositions.clone(),
        engine: arguments.engine.clone(),
        bounds: RequestedBounds {
            unwind: arguments.unwind,
            preemptions: arguments.preemptions,
            context_switches: arguments.context_switches,
            iterate: arguments.iterate,
            pct_depth: arguments.pct_depth,
        },
        budget: Budget {
            timeout: arguments.timeout.map(Duration::from_secs_f64),
            memory_limit_mb: arguments.memory_limit,
            max_executions: arguments.schedules,
            workers: arguments.threads.map_or(processors, |n| n as usize),
            seed: arguments.seed,
            started: Instant::now(),
            after_finding: match (arguments.stop_at_first, arguments.keep_going) {
                (true, _) => AfterFinding::Stop,
                (_, true) => AfterFinding::Continue,
                _ => AfterFinding::TenTimes,
            },
            ..Budget::default()
        },
        compile: CompileOptions {
            clang: arguments.clang.clone(),
            data_model: match arguments.data_model {
                Some(DataModelArgument::Ilp32) => DataModel::Ilp32,
                Some(DataModelArgument::Lp64) | None => DataModel::Lp64,
            },
            optimize: match arguments.optimize {
                Some(OptimizeArgument::O0) | None => OptimizeLevel::O0,
                Some(OptimizeArgument::O1) => OptimizeLevel::O1,
                Some(OptimizeArgument::O2) => OptimizeLevel::O2,
                Some(OptimizeArgument::O3) => OptimizeLevel::O3,
                Some(OptimizeArgument::Os) => OptimizeLevel::Os,
            },
            defines: arguments.defines.clone(),
            include_paths: arguments.include_paths.clone(),
            standard: arguments.standard.clone(),
            trust_flags: arguments.trust_flags,
            restrict_includes: restriction(&arguments.restrict_includes),
        },
        semantics: SemanticOptions {
            memory_model: arguments.memory_model.map(|model| match model {
                MemoryModelArgument::Sc => MemoryModel::SequentialConsistency,
            }),
            spurious_wakeups: !arguments.no_spurious_wakeups,
            fairness: !arguments.no_fairness,
            malloc_may_fail: arguments.malloc_may_fail,
            clock_stands: arguments.clock_stands_still,
            reuse_addresses: arguments.reuse_addresses,
            volatile: arguments.volatile_is_atomic.map(|order| match order {
                VolatileArgument::Relaxed => VolatileOrder::Relaxed,
                VolatileArgument::SeqCst => VolatileOrder::SequentiallyConsistent,
            }),
            havoc: arguments.havoc.clone(),
            abstraction: arguments.abstraction.clone(),
            models: arguments.models.clone(),
            arguments: arguments.args.clone().unwrap_or_default().0,
            environment: arguments.environment.clone(),
            // Read later.
            files: Vec::new(),
            standard_input: None,
            error_function: property_file.and_then(|file| file.error_function()).map(str::to_string),
        },
        thread_systems: ThreadSystemOptions {
            initial_threads: arguments.initial_threads,
            max_threads: arguments.max_threads,
            error_label: arguments.error_label.clone(),
            init: arguments.init.clone(),
            target: arguments.target.clone(),
            method: arguments.method.clone(),
            partial_order: arguments.partial_order.clone(),
        },
        symbolic: SymbolicOptions {
            ordering: match arguments.ordering {
                None => OrderingOption::Automatic,
                Some(OrderingArgument::Theory) => OrderingOption::Theory,
                Some(OrderingArgument::Literals) => OrderingOption::Literals,
                Some(OrderingArgument::Clauses) => OrderingOption::Clauses,
                Some(OrderingArgument::Clocks) => OrderingOption::Clocks,
            },
            unwind_loops: arguments.unwind_loops.clone(),
            check_proofs: arguments.check_proofs,
            certificate: arguments.certificate.clone(),
        },
        towards: arguments.towards.clone(),
        harness: (!arguments.entries.is_empty() || !arguments.concurrent.is_empty()).then(|| {
            HarnessOptions {
                entries: arguments.entries.clone(),
                concurrent: arguments.concurrent.clone(),
                elements: arguments.elements.unwrap_or(1),
                shared: arguments.share,
            }
        }),
        explicit: ExplicitOptions {
            superstep: reduces(arguments, ReductionArgument::Superstep),
            ample: reduces(arguments, ReductionArgument::Ample)
                || reduces(arguments, ReductionArgument::Patterns)
                || arguments.reduction.contains(&ReductionArgument::Guards),
            patterns: reduces(arguments, ReductionArgument::Patterns),
            guards: arguments.reduction.contains(&ReductionArgument::Guards),
            symmetry: reduces(arguments, ReductionArgument::Symmetry),
            symmetry_by_name: arguments.reduction.contains(&ReductionArgument::Symmetry),
            sleep: arguments.reduction.contains(&ReductionArgument::Sleep),
            superstep_within_bounds: arguments.reduction.contains(&ReductionArgument::Superstep),
            depth_first: arguments.search == Some(SearchArgument::Dfs),
            storage: match arguments.store {
                Some(StoreArgument::Exact) | None => StorageOption::Exact,
                Some(StoreArgument::Compact) => StorageOption::Compact,
                Some(StoreArgument::Bitstate) => StorageOption::Bitstate,
            },
            bitstate_mb: arguments.bitstate_mb.unwrap_or(ExplicitOptions::default().bitstate_mb),
            sample_choices: arguments.sample_choices,
        },
    }
}
