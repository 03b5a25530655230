//! `raddle lint`: loads sources, with or without a `main`, runs the static analysis, and makes findings of its candidates:
//! with source lines, suppressions and, if wanted, executions that confirm them.
//!
//! Sources that are one program are analysed together; where several define `main`, each is a program of its own. A file that
//! cannot be compiled is skipped if there are others. What was found in a program is kept by the content of its files (`kept.rs`).

mod confirm;
mod kept;
mod suggest;
mod suppressions;
mod types;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use raddle_clang::load::{Extras, LoadError, Loaded, load};
use raddle_clang::lower::LinkError;
use raddle_ir::{FunctionId, Program};
use raddle_static::CodePlace;
use raddle_static::lint::{Candidate, Linted};
use raddle_trace::{
    Budget, Confirmation, LintFinding, LintPlace, LintReport, LintRule, LintSkipped, LintTypes, Observer,
    Place, Stats,
};
use serde::{Deserialize, Serialize};

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
    /// Compiled texts and findings may come from the cache, and are kept there.
    pub cache: bool,
    /// What the analysis costs is part of the report.
    pub stats: bool,
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

/// What was found in one program, before suppressions and confirmation.
#[derive(Default, Serialize, Deserialize)]
struct Analysed {
    findings: Vec<LintFinding>,
    warnings: Vec<String>,
    without_model: Vec<String>,
    skipped: Vec<LintSkipped>,
    types: Option<LintTypes>,
    /// The files that its own functions are in.
    sources: Vec<String>,
    /// Its own functions, and those of which a limit left calls out.
    functions: usize,
    cut: usize,
    #[serde(skip)]
    patch: String,
}

/// One program, or what is known of it.
enum Found {
    Known(Analysed),
    Part(Box<Part>),
    /// A file that is a program, not loaded yet.
    File(PathBuf),
}

/// Names of functions in one message.
const MOST_NAMED: usize = 5;

pub fn lint(request: &LintRequest, observer: &mut dyn Observer) -> Result<LintOutcome, DriverError> {
    let sources = expand(&request.inputs, request.compile.trust_flags)?;
    let mut outcome = LintOutcome { warnings: sources.notes.clone(), ..LintOutcome::default() };
    let mut costs = Costs::default();
    let started = Instant::now();
    let options = compile_options(&request.compile, &SemanticOptions::default(), &sources, &request.budget);
    let mut annotated = options.clone();
    annotated.defines.extend(types::thread_safety_macros());
    let kept = kept::Known::of(request, &sources.files, &annotated);
    costs.compiling += started.elapsed();
    annotated.kept = kept.as_ref().map(kept::Known::texts);
    let loader = Loader { sources: &sources, options, annotated, kept, suggest: request.suggest };
    let parts = loader.parts(&mut outcome)?;
    let mut texts = SourceTexts::new(&sources);
    for found in parts {
        costs.programs += 1;
        let found = match found {
            Found::File(file) => match loader.file(file, &mut outcome) {
                Some(found) => found,
                None => continue,
            },
            found => found,
        };
        let analysed = match found {
            Found::File(_) => continue,
            Found::Known(mut analysed) => {
                costs.known += 1;
                // Comments of headers are no part of what the program was known by.
                for place in analysed.findings.iter_mut().flat_map(|finding| &mut finding.places) {
                    place.line = texts.line(&place.place.file, place.place.line);
                }
                analysed
            }
            Found::Part(part) => {
                costs.compiling += part.loaded.compiling;
                let mut analysed = analyse(request, &part, &mut texts);
                if let Some(kept) = &loader.kept {
                    kept.keep(&part.files, &analysed);
                }
                if request.confirm.is_some() {
                    let report = &mut outcome.report;
                    confirm::confirm(request, &part, &mut analysed.findings, report, observer);
                }
                analysed
            }
        };
        costs.functions += analysed.functions;
        costs.cut += analysed.cut;
        outcome.add(analysed, &mut texts);
    }
    if let Some(kept) = &loader.kept {
        kept.tidy();
    }
    outcome.report.without_model.sort();
    outcome.report.without_model.dedup();
    suppressions::apply(&mut texts, &request.rules, &mut outcome.report);
    let place = |finding: &LintFinding| finding.places.first().map(|p| p.place.clone());
    outcome.report.findings.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.rule.cmp(&b.rule)));
    if request.stats {
        costs.tell(started.elapsed(), &mut outcome.report.stats);
    }
    Ok(outcome)
}

/// What `--stats` shows.
#[derive(Default)]
struct Costs {
    compiling: Duration,
    programs: usize,
    known: usize,
    functions: usize,
    cut: usize,
}

impl Costs {
    fn tell(&self, all: Duration, stats: &mut Stats) {
        stats.set("programs", self.programs as u64);
        stats.set("programs-from-cache", self.known as u64);
        stats.set("functions", self.functions as u64);
        stats.set("functions-cut", self.cut as u64);
        stats.set("compiler-ms", self.compiling.as_millis() as u64);
        stats.set("wall-ms", all.as_millis() as u64);
        if let Some(kb) = crate::check::peak_memory_kb() {
            stats.set("peak-memory-kb", kb);
        }
    }
}

impl LintOutcome {
    fn add(&mut self, analysed: Analysed, texts: &mut SourceTexts) {
        let report = &mut self.report;
        for finding in analysed.findings {
            let known = |other: &LintFinding| other.rule == finding.rule && other.places == finding.places;
            if !report.findings.iter().any(known) {
                report.findings.push(finding);
            }
        }
        self.warnings.extend(analysed.warnings);
        self.patch += &analysed.patch;
        report.without_model.extend(analysed.without_model);
        report.skipped.extend(analysed.skipped);
        if let Some(types) = analysed.types {
            let all = report.types.get_or_insert_default();
            all.functions.extend(types.functions);
            all.variables.extend(types.variables);
            all.not_inferred.extend(types.not_inferred);
        }
        analysed.sources.iter().for_each(|file| {
            texts.lines(file);
        });
    }
}

fn analyse(request: &LintRequest, part: &Part, texts: &mut SourceTexts) -> Analysed {
    let program = &part.loaded.program;
    let mut analysed = Analysed { warnings: part.loaded.notes.clone(), ..Analysed::default() };
    let exported = exported(program, &part.loaded.exported);
    let Linted { candidates, without_model, cut } = raddle_static::lint::lint(program, &exported);
    let wanted = |candidate: &Candidate| request.rules.contains(&candidate.rule);
    analysed.findings = candidates.iter().filter(|c| wanted(c)).map(|c| finding(program, c, texts)).collect();
    let more = types::types(request, part, texts, &mut analysed);
    analysed.findings.extend(more);
    let names = without_model.iter().map(|id| program.function(*id).name.clone());
    analysed.without_model.extend(names);
    if !cut.is_empty() {
        let what = part.files.first().map(|f| f.display().to_string()).unwrap_or_default();
        let mut names: Vec<&str> = cut.iter().map(|id| program.function(*id).name.as_str()).collect();
        let more = names.len().saturating_sub(MOST_NAMED);
        names.truncate(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = names.join(", ");
        let why = format!("the program is too large: some calls or threads of {names}{more} were left out");
        analysed.skipped.push(LintSkipped { what, why });
    }
    for (path, line) in &part.loaded.assembler {
        let why = format!(
            "file-scope inline assembly (`{}`) is not analysed",
            line.chars().take(60).collect::<String>()
        );
        analysed.skipped.push(LintSkipped { what: path.display().to_string(), why });
    }
    let own = || program.functions.iter().filter(|f| !f.library && f.has_body());
    analysed.functions = own().count();
    analysed.cut = cut.len();
    let files: BTreeSet<String> = own().map(|f| program.file(f.place.file).to_string()).collect();
    analysed.sources = files.into_iter().collect();
    analysed
}

struct Loader<'a> {
    sources: &'a Sources,
    options: raddle_clang::compile::CompileOptions,
    /// The same with clang's own attributes as annotations.
    annotated: raddle_clang::compile::CompileOptions,
    kept: Option<kept::Known>,
    suggest: bool,
}

impl Loader<'_> {
    fn known(&self, files: &[PathBuf]) -> Option<Found> {
        self.kept.as_ref()?.known(files).map(Found::Known)
    }

    fn load(&self, files: &[PathBuf]) -> Result<Loaded, LoadError> {
        let extras = Extras { whole: true, members: self.suggest, ..Extras::default() };
        // A program may use the names of the attributes otherwise.
        match load(files, &self.annotated, &extras) {
            Err(LoadError::Compile(_)) => load(files, &self.options, &extras),
            loaded => loaded,
        }
    }

    /// The programs of the inputs.
    fn parts(&self, outcome: &mut LintOutcome) -> Result<Vec<Found>, DriverError> {
        let mut files = self.sources.files.clone();
        if let Some(known) = self.known(&files) {
            return Ok(vec![known]);
        }
        if files.len() > 1 && self.kept.as_ref().is_some_and(|kept| kept.are_separate(&files)) {
            return Ok(files.into_iter().map(Found::File).collect());
        }
        let mut result = self.load(&files);
        if files.len() > 1 && matches!(result, Err(LoadError::Compile(_) | LoadError::Read { .. })) {
            // Which ones are to blame.
            let mut good = Vec::new();
            let mut first = None;
            for file in &files {
                match self.load(std::slice::from_ref(file)) {
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
            result = self.load(&files);
        }
        match result {
            Ok(loaded) => {
                let whole = files.len() == self.sources.files.len();
                Ok(vec![Found::Part(Box::new(Part { files, whole, loaded }))])
            }
            Err(LoadError::Link(LinkError::Twice { .. })) if files.len() > 1 => {
                Ok(files.into_iter().map(Found::File).collect())
            }
            Err(error) => Err(load_error(error)),
        }
    }

    /// A file that is a program of its own.
    fn file(&self, file: PathBuf, outcome: &mut LintOutcome) -> Option<Found> {
        let files = vec![file];
        if let Some(known) = self.known(&files) {
            return Some(known);
        }
        match self.load(&files) {
            Ok(loaded) => {
                if let Some(kept) = &self.kept {
                    kept.note_main(&files[0], loaded.exported.is_empty());
                }
                Some(Found::Part(Box::new(Part { files, whole: false, loaded })))
            }
            Err(error) => {
                let why = load_error(error).message.trim_end().to_string();
                outcome.report.skipped.push(LintSkipped { what: files[0].display().to_string(), why });
                None
            }
        }
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
