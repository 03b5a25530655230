//! Functions and objects that a program uses and no input defines, found before any search.

use raddle_ir::{Callee, Constant, FunctionId, GlobalId, Inst, Program, SymbolTarget};
use raddle_trace::{MissingDefinition, MissingKind, Place};
use std::collections::HashMap;

#[derive(Default)]
struct Uses {
    count: u64,
    /// Whether the first place is in the user's code, and the place.
    first: Option<(bool, raddle_ir::Place)>,
}

impl Uses {
    fn add(&mut self, own: bool, place: Option<raddle_ir::Place>) {
        self.count += 1;
        let place = place.filter(|place| place.line > 0);
        if let Some(place) = place
            && self.first.is_none_or(|(known, _)| own && !known)
        {
            self.first = Some((own, place));
        }
    }
}

/// All of them, the most used first.
pub fn missing_definitions(program: &Program) -> Vec<MissingDefinition> {
    let mut functions: HashMap<FunctionId, Uses> = HashMap::default();
    let mut objects: HashMap<GlobalId, Uses> = HashMap::default();
    let is_missing = |id: FunctionId| !program.function(id).has_body();
    let is_external = |id: GlobalId| program.global(id).external;
    for function in &program.functions {
        let own = !function.library;
        for (index, inst) in function.code.iter().enumerate() {
            let place = function.places.get(index).copied();
            if let Inst::Call(call) = inst
                && let Callee::Direct(callee) = call.callee
                && is_missing(callee)
            {
                functions.entry(callee).or_default().add(own, place);
            }
            if let Inst::ThreadLocal { global, .. } = inst
                && is_external(*global)
            {
                objects.entry(*global).or_default().add(own, place);
            }
            inst.for_each_operand(|operand| {
                let constant = operand.as_constant().and_then(|id| function.constants.get(id.index()));
                match constant {
                    Some(Constant::Function(id)) if is_missing(*id) => {
                        functions.entry(*id).or_default().add(own, place);
                    }
                    Some(Constant::Global(id, _)) if is_external(*id) => {
                        objects.entry(*id).or_default().add(own, place);
                    }
                    _ => {}
                }
            });
        }
    }
    for global in &program.globals {
        for relocation in &global.initializer.relocations {
            match relocation.target {
                SymbolTarget::Function(id) if is_missing(id) => {
                    functions.entry(id).or_default().add(!global.library, Some(global.place));
                }
                SymbolTarget::Global(id) if is_external(id) => {
                    objects.entry(id).or_default().add(!global.library, Some(global.place));
                }
                _ => {}
            }
        }
    }
    let made = |kind: MissingKind, name: &str, uses: Uses| MissingDefinition {
        kind,
        name: name.to_string(),
        uses: uses.count,
        place: uses.first.map(|(_, at)| Place::new(program.file(at.file), at.line, at.column)),
    };
    let functions =
        functions.into_iter().map(|(id, uses)| made(MissingKind::Function, &program.function(id).name, uses));
    let objects =
        objects.into_iter().map(|(id, uses)| made(MissingKind::Object, &program.global(id).name, uses));
    let mut all: Vec<MissingDefinition> = functions.chain(objects).collect();
    all.sort_by(|a, b| b.uses.cmp(&a.uses).then_with(|| a.name.cmp(&b.name)));
    all
}
