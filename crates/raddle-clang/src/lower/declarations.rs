//! What models declare of their functions: attributes `annotate("raddle: WORDS")`, which clang keeps in the variable
//! `llvm.global.annotations`. Of the program itself `annotate("raddle.atomic")` is read (`RADDLE_ATOMIC` of `raddle.h`); other
//! annotations are not.

use raddle_ir::{Block, Declaration, Function, Inst, Program};
use rustc_hash::FxHashMap;

use super::{LinkError, Unit};
use crate::llvm::Module;
use crate::llvm::ast::{ConstExpr, ConstId, ConstKind, Symbol};

pub(crate) type Declarations = FxHashMap<(usize, Symbol), Vec<Declaration>>;

const PREFIX: &str = "raddle:";
/// In a program.
const ATOMIC: &str = "raddle.atomic";

/// All declarations, by unit and function.
pub(crate) fn declarations(units: &[Unit]) -> Result<Declarations, LinkError> {
    let mut found = Declarations::default();
    for (number, unit) in units.iter().enumerate() {
        let module = &unit.module;
        let list = module.variable("llvm.global.annotations").and_then(|variable| variable.initializer);
        let Some(ConstKind::Aggregate(items)) = list.map(|list| &module.constant(list).kind) else {
            continue;
        };
        for item in items.iter() {
            let ConstKind::Aggregate(fields) = &module.constant(*item).kind else { continue };
            let [function, text, ..] = fields[..] else { continue };
            let (Some(function), Some(text)) = (symbol(module, function), symbol(module, text)) else {
                continue;
            };
            let Some(text) = string(module, text) else { continue };
            if !unit.is_library() {
                if text == ATOMIC {
                    found.entry((number, function)).or_default().push(Declaration::Atomic);
                }
                continue;
            }
            let Some(words) = text.strip_prefix(PREFIX) else { continue };
            let declaration = words.parse().map_err(|_| LinkError::Declaration {
                unit: unit.name.clone(),
                function: module.text(function).to_string(),
                words: words.trim().to_string(),
            })?;
            found.entry((number, function)).or_default().push(declaration);
        }
    }
    Ok(found)
}

/// The name whose address a constant is; typed pointers have casts around it.
fn symbol(module: &Module, id: ConstId) -> Option<Symbol> {
    match &module.constant(id).kind {
        ConstKind::Global(symbol) => Some(*symbol),
        ConstKind::Expr(expression) => match **expression {
            ConstExpr::Gep { base: from, .. } | ConstExpr::Cast { from, .. } => symbol(module, from),
            _ => None,
        },
        _ => None,
    }
}

/// The text of a string literal.
fn string(module: &Module, symbol: Symbol) -> Option<String> {
    let initializer = module.variable(module.text(symbol))?.initializer?;
    let ConstKind::Bytes(bytes) = &module.constant(initializer).kind else { return None };
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Functions that act only after others, none of which the program contains, lose their bodies: a call of one, which the
/// declaration says never happens, ends the run as `unknown`.
pub(crate) fn disable_inactive(program: &mut Program) {
    let contains =
        |name: &String| program.functions.iter().any(|f| f.library && f.has_body() && f.name == *name);
    let inactive = |function: &Function| {
        let causes = function.declarations.iter().filter_map(|declaration| match declaration {
            Declaration::ActsAfter(causes) => Some(causes),
            _ => None,
        });
        function.has_body() && causes.clone().next().is_some() && !causes.flatten().any(contains)
    };
    let found: Vec<usize> =
        (0..program.functions.len()).filter(|f| inactive(&program.functions[*f])).collect();
    for index in found {
        let function = &mut program.functions[index];
        let reason = format!(
            "model error: `{}` declares `acts after` functions that the program does not contain",
            function.name
        );
        function.code = vec![Inst::Unsupported { reason: reason.into() }, Inst::Unreachable];
        function.places = vec![function.place; 2];
        function.blocks = vec![Block { start: 0, end: 2 }];
        function.constants.clear();
        function.locals.clear();
        for register in &mut function.registers {
            register.local = None;
        }
    }
}
