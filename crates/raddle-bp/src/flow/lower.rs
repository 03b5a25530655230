//! A tree to graphs: the headings of the whole program first, then one body after the other.

use super::names::{Heading, Scope};
use super::procedures::Builder;
use super::{Flow, Procedure, ProcedureId};
use crate::program::{Place, Program, ProgramError, StatementKind};
use rustc_hash::FxHashMap;

/// The program that the tree means.
///
/// # Errors
///
/// If a name means nothing, or two things; if numbers of parameters, results or values differ; if there is no `main`.
pub fn lower(program: &Program) -> Result<Flow, ProgramError> {
    let (names, globals) = shared_variables(program)?;
    let headings = headings(program)?;
    let mut procedures = Vec::with_capacity(program.procedures.len());
    for tree in &program.procedures {
        let mut procedure = Procedure {
            name: tree.name.text.clone(),
            parameters: tree.parameters.len(),
            locals: Vec::new(),
            results: tree.results,
            nodes: Vec::new(),
        };
        let scope = Scope::new(&globals, &headings, &tree.parameters, &tree.body, &mut procedure)?;
        Builder::new(scope, &mut procedure).body(&tree.body, tree.end.start)?;
        procedures.push(procedure);
    }
    match headings.get("main") {
        Some(main) => Ok(Flow { globals: names, procedures, main: main.id }),
        None => Err(ProgramError::new(Place { line: 1, column: 1 }, "there is no procedure `main`")
            .with_hint("threads start there: write `void main() begin ... end`")),
    }
}

fn shared_variables(program: &Program) -> Result<(Vec<String>, FxHashMap<&str, u32>), ProgramError> {
    let (mut names, mut indices) = (Vec::new(), FxHashMap::default());
    for statement in &program.globals {
        let StatementKind::Declaration(variables) = &statement.kind else { continue };
        for name in variables {
            if indices.insert(name.text.as_str(), names.len() as u32).is_some() {
                return Err(ProgramError::new(name.span.start, format!("`{}` is declared twice", name.text)));
            }
            names.push(name.text.clone());
        }
    }
    Ok((names, indices))
}

fn headings(program: &Program) -> Result<FxHashMap<&str, Heading>, ProgramError> {
    let mut headings = FxHashMap::default();
    for (index, tree) in program.procedures.iter().enumerate() {
        let heading = Heading {
            id: ProcedureId(index as u32),
            parameters: tree.parameters.len(),
            results: tree.results,
        };
        if headings.insert(tree.name.text.as_str(), heading).is_some() {
            return Err(ProgramError::new(
                tree.name.span.start,
                format!("there are two procedures `{}`", tree.name.text),
            ));
        }
    }
    Ok(headings)
}
