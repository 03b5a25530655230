//! Inferred types: what a program declares (`RADDLE_ATOMIC`, `RADDLE_GUARDED_BY`, ...) is checked, and `--show types` shows what was
//! inferred. Clang's own attributes count as declarations, too (`THREAD_SAFETY`).
//!
//! Unlike the rules of the lint, the inference is sound and may give up (`raddle_static::atomicity`): then, and without a `main`,
//! what is declared is not checked, and the report says so.

use std::sync::Arc;

use raddle_clang::annotations::{Annotated as OnSource, Annotation as Source};
use raddle_ir::{Declaration, FunctionId, GlobalId, Program};
use raddle_static::CodePlace;
use raddle_static::annotations::{Annotated, Annotation, AnnotationKind, Violation};
use raddle_static::atomicity::{Atomicities, FunctionType, Interruption};
use raddle_trace::{
    Confirmation, LintFinding, LintFunctionType, LintPlace, LintRule, LintSkipped, LintTypes,
    LintVariableType, Place,
};

use super::suppressions::SourceTexts;
use super::{Analysed, LintRequest, Part, is_same_file, place, suggest};

/// Macros by which attributes of clang's thread-safety analysis, which never reach LLVM text, become annotations.
const THREAD_SAFETY: [(&str, &str); 4] = [
    ("guarded_by", "guarded_by"),
    ("requires_capability", "requires"),
    ("exclusive_locks_required", "requires"),
    ("pt_guarded_by", "pt_guarded_by"),
];

/// Definitions for the compiler (`-D`).
pub fn thread_safety_macros() -> Vec<String> {
    let one =
        |name: String, kind: &str| format!("{name}(...)=btf_decl_tag(\"raddle.{kind}(\" #__VA_ARGS__ \")\")");
    let all = THREAD_SAFETY.iter();
    all.flat_map(|(name, kind)| [one(name.to_string(), kind), one(format!("__{name}__"), kind)]).collect()
}

/// Reasons that are named.
const MOST_REASONS: usize = 3;

/// The findings about declared types of one program; adds to the report what was inferred and what could not be checked.
pub fn types(
    request: &LintRequest,
    part: &Part,
    texts: &mut SourceTexts,
    analysed: &mut Analysed,
) -> Vec<LintFinding> {
    let program = &part.loaded.program;
    let declared: Vec<FunctionId> = match request.rules.contains(&LintRule::NotAtomic) {
        true => declared_atomic(program),
        false => Vec::new(),
    };
    let (annotations, sources) = match request.rules.contains(&LintRule::AnnotationViolated) {
        true => annotations(program, &part.loaded.annotations),
        false => Default::default(),
    };
    if request.rules.contains(&LintRule::AnnotationViolated) {
        for source in part.loaded.annotations.iter().filter(|source| source.kind == "pt_guarded_by") {
            let what = format!("`pt_guarded_by({})` ({}:{})", source.text, source.file, source.line);
            let why =
                "not checked: what a pointer points to is checked by guards of its own members or variables";
            analysed.skipped.push(LintSkipped { what, why: why.into() });
        }
    }
    if declared.is_empty() && annotations.is_empty() && !request.show_types && !request.suggest {
        return Vec::new();
    }
    let inferred = match part.loaded.exported.is_empty() {
        true => {
            let mut program = program.clone();
            raddle_analysis::mark_visible(&mut program);
            raddle_static::atomicity::types(&Arc::new(program), &annotations)
        }
        false => Atomicities::GaveUp(Vec::new()),
    };
    let why_not = why_not(program, &inferred);
    if request.show_types {
        let shown = analysed.types.get_or_insert_default();
        show(program, &inferred, shown);
        shown.not_inferred.extend(why_not.clone());
    }
    let (functions, violations) = match &inferred {
        Atomicities::Inferred { functions, violations, .. } => (&functions[..], &violations[..]),
        Atomicities::GaveUp(_) => (&[][..], &[][..]),
    };
    if request.suggest {
        analysed.patch += &suggest::patch(program, &inferred, &part.loaded.members, texts);
        if !why_not.is_empty() && declared.is_empty() && annotations.is_empty() {
            let why = why_not.join("; ");
            analysed
                .skipped
                .push(LintSkipped { what: "annotations".into(), why: format!("not inferred: {why}") });
        }
    }
    let mut findings: Vec<LintFinding> =
        violations.iter().map(|v| violated(program, v, &annotations, &sources, texts)).collect();
    if !why_not.is_empty() && !annotations.is_empty() {
        let what = format!("{} annotations", annotations.len());
        let why = format!("not checked: {}", why_not.join("; "));
        analysed.skipped.push(LintSkipped { what, why });
    }
    for id in declared {
        let typed = functions.iter().find(|typed| typed.function == id);
        match typed {
            Some(FunctionType { interruption: Some(interruption), .. }) => {
                findings.push(finding(program, id, interruption, texts));
            }
            Some(_) => {}
            None => {
                let why = match &why_not[..] {
                    [] => "nothing that `main` leads to calls it".to_string(),
                    reasons => reasons.join("; "),
                };
                let name = &program.function(id).name;
                let what = format!("`{name}` ({})", place(program, (id, 0)));
                let why = format!("declared RADDLE_ATOMIC and not checked: {why}");
                analysed.skipped.push(LintSkipped { what, why });
            }
        }
    }
    findings
}

fn declared_atomic(program: &Program) -> Vec<FunctionId> {
    let all = program.functions.iter().enumerate();
    all.filter(|(_, f)| !f.library && f.has_body() && f.declarations.contains(&Declaration::Atomic))
        .map(|(index, _)| FunctionId::new(index))
        .collect()
}

fn why_not(program: &Program, inferred: &Atomicities) -> Vec<String> {
    match inferred {
        Atomicities::Inferred { .. } => Vec::new(),
        Atomicities::GaveUp(reasons) if reasons.is_empty() => {
            let why = "there is no `main`, so it is not known which calls run at the same time; add one that makes them";
            vec![why.into()]
        }
        Atomicities::GaveUp(reasons) => {
            let named = reasons.iter().take(MOST_REASONS);
            named.map(|(what, at)| format!("{}: {what}", place(program, *at))).collect()
        }
    }
}

fn show(program: &Program, inferred: &Atomicities, shown: &mut LintTypes) {
    let Atomicities::Inferred { functions, guards, .. } = inferred else { return };
    shown.functions.extend(functions.iter().map(|typed| LintFunctionType {
        function: program.function(typed.function).name.clone(),
        place: place(program, (typed.function, 0)),
        atomicity: typed.text(),
    }));
    shown.variables.extend(guards.iter().map(|guard| LintVariableType {
        variable: guard.variable.clone(),
        guard: guard.guard.clone(),
        place: place(program, guard.at),
    }));
}

/// The annotations whose functions and variables are part of the program, each with where it is.
fn annotations(program: &Program, sources: &[Source]) -> (Vec<Annotation>, Vec<Place>) {
    let mut found = (Vec::new(), Vec::new());
    for source in sources {
        let kind = match source.kind.as_str() {
            "guarded_by" => AnnotationKind::GuardedBy,
            "requires" => AnnotationKind::Requires,
            "not_shared" => AnnotationKind::NotShared,
            _ => continue,
        };
        let is_at = |at: raddle_ir::Place| {
            at.line == source.line && is_same_file(program.file(at.file), &source.file)
        };
        let on = match &source.on {
            OnSource::Function(name) => {
                let is_it = |f: &raddle_ir::Function| !f.library && f.name == *name && is_at(f.place);
                program.functions.iter().position(is_it).map(|i| Annotated::Function(FunctionId::new(i)))
            }
            OnSource::Variable(name) => {
                let is_it = |g: &raddle_ir::Global| !g.library && g.name == *name && is_at(g.place);
                program.globals.iter().position(is_it).map(|i| Annotated::Variable(GlobalId::new(i)))
            }
            OnSource::Member { structure, member } => {
                Some(Annotated::Member { structure: structure.clone(), member: member.clone() })
            }
        };
        let Some(on) = on else { continue };
        let file = program.files.iter().find(|file| is_same_file(file, &source.file));
        found.0.push(Annotation { kind, text: source.text.clone(), on });
        found.1.push(Place::new(file.unwrap_or(&source.file).clone(), source.line, 1));
    }
    found
}

fn violated(
    program: &Program,
    violation: &Violation,
    annotations: &[Annotation],
    sources: &[Place],
    texts: &mut SourceTexts,
) -> LintFinding {
    let declared = &annotations[violation.annotation];
    let mut spot = |role: String, place: Place| {
        let line = texts.line(&place.file, place.line);
        LintPlace { role, place, line, locks: Vec::new(), calls: Vec::new() }
    };
    let mut places: Vec<LintPlace> =
        violation.places.iter().map(|(at, what)| spot(what.clone(), place(program, *at))).collect();
    let role = match declared.kind {
        AnnotationKind::GuardedBy => format!("declared to be guarded by `{}`", declared.text),
        AnnotationKind::Requires => format!("declared to require `{}`", declared.text),
        AnnotationKind::NotShared => "declared not to be shared".into(),
    };
    places.push(spot(role, sources[violation.annotation].clone()));
    LintFinding {
        rule: LintRule::AnnotationViolated,
        level: LintRule::AnnotationViolated.level(),
        message: violation.what.clone(),
        places,
        suppression: None,
        confirmation: Confirmation::Possible,
    }
}

fn finding(
    program: &Program,
    id: FunctionId,
    interruption: &Interruption,
    texts: &mut SourceTexts,
) -> LintFinding {
    let mut spot = |role: String, at: CodePlace| {
        let place = place(program, at);
        let line = texts.line(&place.file, place.line);
        LintPlace { role, place, line, locks: Vec::new(), calls: Vec::new() }
    };
    let Interruption { first, second, other } = interruption;
    let mut places = vec![
        spot(format!("{}; another thread can come after it", first.1), first.0),
        spot(format!("{}, in a later step of the same call", second.1), second.0),
    ];
    if let Some((at, what)) = other {
        places.push(spot(format!("{what} in between"), *at));
    }
    let name = &program.function(id).name;
    LintFinding {
        rule: LintRule::NotAtomic,
        level: LintRule::NotAtomic.level(),
        message: format!("`{name}` is declared atomic, and another thread can come between two of its steps"),
        places,
        suppression: None,
        confirmation: Confirmation::Possible,
    }
}
