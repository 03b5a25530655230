//! The user's expressions: which are requested, and their code in the program.

use std::collections::HashSet;

use raddle_clang::compile as clang;
use raddle_clang::expressions::{ExpressionError, Placed, place_expressions};
use raddle_ir::{Function, FunctionId, GlobalId, Inst, Operand, Program};
use raddle_machine::{Expression, ExpressionCode};
use raddle_trace::Property;

use crate::error::DriverError;
use crate::inputs::Sources;
use crate::request::CheckRequest;

/// What the row of the functions that the program registers itself is called.
pub const REGISTERED: &str = "raddle_invariant";

/// Expressions as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expressions {
    pub invariants: Vec<String>,
    pub propositions: Vec<(String, String)>,
}

/// Whether the code of an expression writes to anything but its own variables.
fn writes(function: &Function) -> bool {
    let mut own = HashSet::new();
    for inst in &function.code {
        match inst {
            Inst::Alloca { destination, .. } => drop(own.insert(*destination)),
            Inst::PointerAdd { destination, base, .. }
                if base.as_register().is_some_and(|base| own.contains(&base)) =>
            {
                own.insert(*destination);
            }
            _ => {}
        }
    }
    let is_own = |address: &Operand| address.as_register().is_some_and(|register| own.contains(&register));
    function.code.iter().any(|inst| match inst {
        Inst::Store { address, .. }
        | Inst::Update { address, .. }
        | Inst::CompareExchange { address, .. } => !is_own(address),
        Inst::MemoryCopy { destination, .. } | Inst::MemorySet { destination, .. } => !is_own(destination),
        _ => false,
    })
}

impl Expressions {
    /// Those that the judgement of `properties` needs.
    pub fn of(request: &CheckRequest, properties: &[Property]) -> Expressions {
        let invariants = properties.iter().filter_map(|p| match p {
            Property::Invariant(text) => Some(text.clone()),
            _ => None,
        });
        let temporal = properties.iter().any(|p| matches!(p, Property::Ltl(_)));
        Expressions {
            invariants: invariants.collect(),
            propositions: if temporal { request.propositions.clone() } else { Vec::new() },
        }
    }

    pub fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.propositions.is_empty()
    }

    fn texts(&self) -> Vec<String> {
        self.invariants.iter().chain(self.propositions.iter().map(|(_, text)| text)).cloned().collect()
    }

    /// Finds a source for each.
    pub fn place(
        &self,
        sources: &Sources,
        options: &clang::CompileOptions,
    ) -> Result<Option<Placed>, DriverError> {
        if self.is_empty() {
            return Ok(None);
        }
        place_expressions(&sources.files, options, &self.texts()).map(Some).map_err(|error| match error {
            ExpressionError::Refused { expression, message } => DriverError::usage(format!(
                "the expression `{expression}` does not compile with the program:\n{message}"
            ))
            .hint("a C expression over global variables, that compiles at the end of a source file"),
            ExpressionError::NoSource => {
                DriverError::usage("--invariant and --prop need a C source among the inputs")
                    .hint("give the .c or .i file, or call raddle_invariant in the program")
            }
            ExpressionError::Source(error) => {
                crate::program::load_error(raddle_clang::load::LoadError::Compile(error))
            }
            ExpressionError::Library(error) => {
                crate::program::load_error(raddle_clang::load::LoadError::Library(error))
            }
        })
    }

    /// Their code: the invariants (with those that the program registers itself), the propositions.
    pub fn find(
        &self,
        program: &Program,
        placed: Option<&Placed>,
    ) -> Result<(Vec<Expression>, Vec<Expression>), DriverError> {
        let mut found = Vec::new();
        for (text, name) in self.texts().into_iter().zip(placed.iter().flat_map(|p| &p.functions)) {
            let function = program.functions.iter().position(|f| f.name == *name);
            let function = function.ok_or_else(|| {
                DriverError::internal(format!("the code of the expression `{text}` is not in the program"))
            })?;
            if writes(&program.functions[function]) {
                return Err(DriverError::usage(format!(
                    "the expression `{text}` changes memory; an expression of --invariant and --prop only reads"
                ))
                .hint("`==` compares, `=` assigns"));
            }
            found.push(Expression { text, code: ExpressionCode::Function(FunctionId::new(function)) });
        }
        let propositions = found.split_off(self.invariants.len().min(found.len()));
        let table = program.globals.iter().position(|g| g.library && g.name == "raddle_invariants");
        if let Some(table) = table {
            let code = ExpressionCode::Registered { table: GlobalId::new(table) };
            found.push(Expression { text: REGISTERED.into(), code });
        }
        Ok((found, propositions))
    }
}
