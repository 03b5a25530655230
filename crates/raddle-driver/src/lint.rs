//! `raddle lint`: loads sources, with or without a `main`, runs the static analysis, and makes findings of its candidates:
//! with source lines, suppressions and, if wanted, executions that confirm them.
//!
//! Sources that are one program are analysed together; where several define `main`, each is a program of its own. A file that
//! cannot be compiled is skipped if there are others.

mod confirm;
mod suggest;
mod suppressions;
mod types;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use raddle_clang::load::{Extras, LoadError, Loaded, load};
use raddle_clang::lower::LinkError;
use raddle_ir::{FunctionId, Program};
use raddle_static::CodePlace;
use raddle_static::lint::{Candidate, Linted};
use raddle_trace::{
    Budget, Confirmation, LintFinding, LintPlace, LintReport, LintRule, LintSkipped, Observer, Place,
};

use crate::error::{DriverError, DriverErrorKind};
use crate::inputs::{Sources, expand};
use crate::program::{compile_options, load_error};
use crate::request::{CompileOptions, SemanticOptions};
use suppressions::SourceTexts;

/// What to lint, and how.
#[derive(Clone, Debug)]
pub struct LintRequest {
    /// C sources, `.i`, LLVM `.ll`/`.bc`, a folder or `compile_commands.json`.
    pub inputs: Vec<PathBuf>,
    pub compile: CompileOptions,
    /// Rules whose findings are wanted.
    pub rules: BTreeSet<LintRule>,
    /// Inferred types are part of the report.
    pub show_types: bool,
    /// Annotations for what was inferred are wanted, as a patch.
    pub suggest: bool,
    /// Look for executions that confirm findings, each search for so many seconds.
    pub confirm: Option<f64>,
    /// For the compiler.
    pub budget: Budget,
}

/// The answer, with warnings that belong to no finding.
#[derive(Clone, Debug, Default)]
pub struct LintOutcome {
    pub report: LintReport,
    pub warnings: Vec<String>,
    /// A unified diff, if it was asked for.
    pub patch: String,
}

/// One program of the inputs.
struct Part {
    files: Vec<PathBuf>,
    /// It is all that was named: a search may read the inputs as they were given.
    whole: bool,
    loaded: Loaded,
}

pub fn lint(request: &LintRequest, observer: &mut dyn Observer) -> Result<LintOutcome, DriverError> {
    let sources = expand(&request.inputs, request.compile.trust_flags)?;
    let mut outcome = LintOutcome { warnings: sources.notes.clone(), ..LintOutcome::default() };
    let parts = parts(request, &sources, &mut outcome)?;
    let mut texts = SourceTexts::new(&sources);
    for part in &parts {
        outcome.warnings.extend(part.loaded.notes.iter().cloned());
        let program = &part.loaded.program;
        let exported = exported(program, &part.loaded.exported);
        let Linted { candidates, without_model, cut } = raddle_static::lint::lint(program, &exported);
        let wanted = |candidate: &Candidate| request.rules.contains(&candidate.rule);
        let mut findings: Vec<LintFinding> =
            candidates.iter().filter(|c| wanted(c)).map(|c| finding(program, c, &mut texts)).collect();
        findings.extend(types::types(request, part, &mut texts, &mut outcome));
        if request.confirm.is_some() {
            confirm::confirm(request, part, &mut findings, &mut outcome.report, observer);
        }
        for finding in findings {
            let known = |other: &LintFinding| other.rule == finding.rule && other.places == finding.places;
            if !outcome.report.findings.iter().any(known) {
                outcome.report.findings.push(finding);
            }
        }
        let names = without_model.iter().map(|id| program.function(*id).name.clone());
        outcome.report.without_model.extend(names);
        if cut {
            let what = part.files.first().map(|f| f.display().to_string()).unwrap_or_default();
            let why = "the program is too large: some calls were left out".to_string();
            outcome.report.skipped.push(LintSkipped { what, why });
        }
        for (path, line) in &part.loaded.assembler {
            let why = format!(
                "file-scope inline assembly (`{}`) is not analysed",
                line.chars().take(60).collect::<String>()
            );
            outcome.report.skipped.push(LintSkipped { what: path.display().to_string(), why });
        }
        texts.read_all(program);
    }
    outcome.report.without_model.sort();
    outcome.report.without_model.dedup();
    suppressions::apply(&mut texts, &request.rules, &mut outcome.report);
    let place = |finding: &LintFinding| finding.places.first().map(|p| p.place.clone());
    outcome.report.findings.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.rule.cmp(&b.rule)));
    Ok(outcome)
}

/// The programs of the inputs.
fn parts(
    request: &LintRequest,
    sources: &Sources,
    outcome: &mut LintOutcome,
) -> Result<Vec<Part>, DriverError> {
    let options = compile_options(&request.compile, &SemanticOptions::default(), sources, &request.budget);
    let mut annotated = options.clone();
    annotated.defines.extend(types::thread_safety_macros());
    let extras = Extras { whole: true, ..Extras::default() };
    // A program may use the names of the attributes otherwise.
    let load_all = |files: &[PathBuf]| match load(files, &annotated, &extras) {
        Err(LoadError::Compile(_)) => load(files, &options, &extras),
        loaded => loaded,
    };
    let mut files = sources.files.clone();
    let mut result = load_all(&files);
    if files.len() > 1 && matches!(result, Err(LoadError::Compile(_) | LoadError::Read { .. })) {
        // Which ones are to blame.
        let mut good = Vec::new();
        let mut first = None;
        for file in &files {
            match load_all(std::slice::from_ref(file)) {
                Err(error @ (LoadError::Compile(_) | LoadError::Read { .. })) => {
                    let error = load_error(error);
                    if error.kind == DriverErrorKind::Stopped {
                        return Err(error);
                    }
                    let why = error.message.trim_end().to_string();
                    outcome.report.skipped.push(LintSkipped { what: file.display().to_string(), why });
                    first.get_or_insert(error);
                }
                _ => good.push(file.clone()),
            }
        }
        if let (true, Some(error)) = (good.is_empty(), first) {
            return Err(error);
        }
        files = good;
        result = load_all(&files);
    }
    match result {
        Ok(loaded) => {
            let whole = files.len() == sources.files.len();
            Ok(vec![Part { files, whole, loaded }])
        }
        Err(LoadError::Link(LinkError::Twice { .. })) if files.len() > 1 => {
            let mut parts = Vec::new();
            for file in files {
                match load_all(std::slice::from_ref(&file)) {
                    Ok(loaded) => parts.push(Part { files: vec![file], whole: false, loaded }),
                    Err(error) => {
                        let why = load_error(error).message.trim_end().to_string();
                        outcome.report.skipped.push(LintSkipped { what: file.display().to_string(), why });
                    }
                }
            }
            Ok(parts)
        }
        Err(error) => Err(load_error(error)),
    }
}

fn exported(program: &Program, names: &[String]) -> Vec<FunctionId> {
    let own = program.functions.iter().enumerate().filter(|(_, f)| !f.library && f.has_body());
    own.filter(|(_, f)| names.contains(&f.name)).map(|(index, _)| FunctionId::new(index)).collect()
}

fn finding(program: &Program, candidate: &Candidate, texts: &mut SourceTexts) -> LintFinding {
    let places = candidate.spots.iter().map(|spot| {
        let place = place(program, spot.at);
        let line = texts.line(&place.file, place.line);
        LintPlace {
            role: spot.role.clone(),
            line,
            locks: spot.locks.clone(),
            calls: spot.calls.iter().map(|at| self::place(program, *at)).collect(),
            place,
        }
    });
    LintFinding {
        rule: candidate.rule,
        level: candidate.level,
        message: candidate.message.clone(),
        places: places.collect(),
        suppression: None,
        confirmation: Confirmation::Possible,
    }
}

fn place(program: &Program, (id, pc): CodePlace) -> Place {
    let function = program.function(id);
    let at = function.places.get(pc as usize).copied().unwrap_or_default();
    let at = if at.line == 0 { function.place } else { at };
    Place::new(program.file(at.file), at.line, at.column).in_function(function.name.clone())
}

/// Whether two paths name one file, as far as the names show.
fn is_same_file(a: &str, b: &str) -> bool {
    let (a, b) = (Path::new(a), Path::new(b));
    a.ends_with(b) || b.ends_with(a)
}
