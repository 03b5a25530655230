//! Inferred types: functions that are declared atomic are checked, and `--show types` shows what was inferred.
//!
//! Unlike the rules of the lint, the inference is sound and may give up (`raddle_static::atomicity`): then, and without a `main`,
//! what is declared is not checked, and the report says so.

use std::sync::Arc;

use raddle_ir::{Declaration, FunctionId, Program};
use raddle_static::CodePlace;
use raddle_static::atomicity::{Atomicities, FunctionType, Interruption, atomicities};
use raddle_trace::{
    Confirmation, LintFinding, LintFunctionType, LintPlace, LintReport, LintRule, LintSkipped, LintTypes,
    LintVariableType,
};

use super::suppressions::SourceTexts;
use super::{LintRequest, Part, place};

/// Reasons that are named.
const MOST_REASONS: usize = 3;

/// The findings about declared types of one program; adds to the report what was inferred and what could not be checked.
pub fn types(
    request: &LintRequest,
    part: &Part,
    texts: &mut SourceTexts,
    report: &mut LintReport,
) -> Vec<LintFinding> {
    let program = &part.loaded.program;
    let declared: Vec<FunctionId> = match request.rules.contains(&LintRule::NotAtomic) {
        true => declared_atomic(program),
        false => Vec::new(),
    };
    if declared.is_empty() && !request.show_types {
        return Vec::new();
    }
    let inferred = match part.loaded.exported.is_empty() {
        true => {
            let mut program = program.clone();
            raddle_analysis::mark_visible(&mut program);
            atomicities(&Arc::new(program))
        }
        false => Atomicities::GaveUp(Vec::new()),
    };
    let why_not = why_not(program, &inferred);
    if request.show_types {
        let shown = report.types.get_or_insert_default();
        show(program, &inferred, shown);
        shown.not_inferred.extend(why_not.clone());
    }
    let functions = match &inferred {
        Atomicities::Inferred { functions, .. } => &functions[..],
        Atomicities::GaveUp(_) => &[],
    };
    let mut findings = Vec::new();
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
                report.skipped.push(LintSkipped { what, why });
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
    let Atomicities::Inferred { functions, guards } = inferred else { return };
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
