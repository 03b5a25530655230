//! `raddle lint`: from arguments to a request, from an outcome to a report and an exit code.

use crate::arguments::ColorArgument;
use crate::check::fail;
use crate::lint_arguments::{LintArguments, LintFormatArgument, LintLevelArgument, LintShowArgument};
use crate::output::OutputFile;
use crate::progress::ProgressLine;
use crate::signals::{self, First};
use crate::source_files::SourceFiles;
use crate::{INPUT, LOST, USAGE, terminal};
use raddle_driver::{CompileOptions, LintRequest};
use raddle_report::{KnownViolations, LintTextOptions, lint as text, sarif};
use raddle_trace::{Budget, LintLevel, LintReport, LintRule, write_lint};
use std::collections::BTreeSet;
use std::path::Path;

/// The largest baseline that is read.
const MOST_BASELINE: u64 = 1 << 30;
/// Seconds of each search for an execution.
const CONFIRMATION: f64 = 30.0;
/// The exit code where something was skipped.
const SKIPPED: u8 = 3;

/// Runs it; the result is the exit code.
pub fn lint(arguments: &LintArguments) -> u8 {
    let output = match arguments.output.as_deref().map(OutputFile::claim).transpose() {
        Ok(output) => output,
        Err(message) => {
            terminal::complain(&message);
            return USAGE;
        }
    };
    if let Some(message) = clobbering(arguments) {
        terminal::complain(&message);
        return USAGE;
    }
    let known = match arguments.baseline.as_deref().map(baseline).transpose() {
        Ok(known) => known,
        Err(message) => {
            terminal::complain(&message);
            return INPUT;
        }
    };
    let request = request(arguments);
    signals::listen(&request.budget, First::Finish);
    let mut progress = ProgressLine::new(arguments.quiet || arguments.confirm.is_none());
    let outcome = raddle_driver::lint(&request, &mut progress);
    progress.clear();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return fail(&error),
    };
    for warning in &outcome.warnings {
        terminal::complain(&format!("warning: {warning}"));
    }
    let mut report = outcome.report;
    if arguments.suggest {
        for skipped in &report.skipped {
            terminal::complain(&format!("skipped {}: {}", skipped.what, skipped.why));
        }
        let delivered = match output {
            Some(file) => file.write(&outcome.patch).map_err(|message| terminal::complain(&message)).is_ok(),
            None => terminal::print(&outcome.patch),
        };
        return match (delivered, report.skipped.is_empty()) {
            (false, _) => LOST,
            (true, true) => 0,
            (true, false) => SKIPPED,
        };
    }
    if let (Some(known), Some(path)) = (&known, &arguments.baseline) {
        known.mark_lint(&mut report, &path.display().to_string());
    }
    let code = report.exit_code(level(arguments.fail_on));
    if deliver(&report, arguments, output, code) { code } else { LOST }
}

fn level(argument: LintLevelArgument) -> LintLevel {
    match argument {
        LintLevelArgument::Error => LintLevel::Error,
        LintLevelArgument::Warning => LintLevel::Warning,
        LintLevelArgument::Note => LintLevel::Note,
    }
}

fn request(arguments: &LintArguments) -> LintRequest {
    let mut rules: BTreeSet<LintRule> = match arguments.rules.is_empty() {
        true => LintRule::ALL.iter().copied().collect(),
        false => arguments.rules.iter().copied().collect(),
    };
    rules.retain(|rule| !arguments.no_rules.contains(rule));
    LintRequest {
        inputs: arguments.inputs.clone(),
        compile: CompileOptions {
            clang: arguments.clang.clone(),
            defines: arguments.defines.clone(),
            include_paths: arguments.include_paths.clone(),
            standard: arguments.standard.clone(),
            trust_flags: arguments.trust_flags,
            ..CompileOptions::default()
        },
        rules,
        suggest: arguments.suggest,
        show_types: arguments.show.contains(&LintShowArgument::Types),
        confirm: arguments.confirm.map(|seconds| seconds.unwrap_or(CONFIRMATION)),
        cache: !arguments.no_cache,
        stats: arguments.stats,
        budget: Budget {
            workers: std::thread::available_parallelism().map_or(1, |n| n.get()),
            ..Budget::default()
        },
    }
}

fn baseline(path: &Path) -> Result<KnownViolations, String> {
    let bytes = raddle_driver::read_regular(path, MOST_BASELINE)
        .map_err(|error| format!("the baseline cannot be read: {error}"))?;
    let name = path.display();
    let text =
        String::from_utf8(bytes).map_err(|_| format!("{name}: this is no baseline: not text in UTF-8"))?;
    KnownViolations::read_lint(&text).map_err(|error| {
        format!("{name}: this is no baseline: {error}; it is a report of `raddle lint --format sarif`")
    })
}

/// The output is one of the files that are read.
fn clobbering(arguments: &LintArguments) -> Option<String> {
    let output = arguments.output.as_ref().filter(|output| output.is_file())?.canonicalize().ok()?;
    let sources = raddle_driver::source_files(&arguments.inputs);
    let mut read = arguments.inputs.iter().chain(&arguments.baseline).chain(&sources);
    let same = read.any(|input| input.canonicalize().is_ok_and(|input| input == output));
    same.then(|| format!("{} is an input and would be overwritten", output.display()))
}

fn render(report: &LintReport, arguments: &LintArguments, to_file: bool, code: u8) -> String {
    match arguments.format {
        LintFormatArgument::Json => write_lint(report),
        LintFormatArgument::Sarif => sarif::lint::render(report, code),
        LintFormatArgument::Text => {
            let colour: ColorArgument = arguments.color;
            let options = LintTextOptions {
                width: terminal::width(),
                colour: !to_file && terminal::colour(colour),
                quiet: arguments.quiet,
            };
            text::render(report, &SourceFiles::new(false), &options)
        }
    }
}

/// Writes the report to the requested place; `false` if it was lost.
fn deliver(report: &LintReport, arguments: &LintArguments, output: Option<OutputFile>, code: u8) -> bool {
    let text = render(report, arguments, output.is_some(), code);
    let Some(file) = output else { return terminal::print(&text) };
    match file.write(&text) {
        Ok(()) => terminal::print(&format!("{}\n", report.summary())),
        Err(message) => {
            terminal::complain(&message);
            terminal::print(&text);
            false
        }
    }
}
