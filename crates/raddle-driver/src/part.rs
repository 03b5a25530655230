//! One program and the properties that are judged on it: what every engine over C is given, and the facts about the program
//! that weaken a proof whatever engine made it.

use raddle_machine::{CodePoint, Expression};
use raddle_trace::{Assumption, Budget, CaveatKind, Coverage, Property, Report};

use crate::error_function::unseen_calls;
use crate::program::Loaded;
use crate::request::CheckRequest;
use crate::settings;

/// One program and the properties that are judged on it.
pub struct Part<'a> {
    pub request: &'a CheckRequest,
    pub loaded: &'a Loaded,
    pub properties: &'a [Property],
    /// What the machines of this part execute is noted here.
    pub reached: &'a raddle_machine::Coverage,
}

impl Part<'_> {
    /// With the invariants that are asked for here.
    pub fn settings(&self) -> raddle_machine::Settings {
        let asked = |e: &&Expression| self.properties.contains(&Property::Invariant(e.text.clone()));
        let invariants: Vec<Expression> = self.loaded.invariants.iter().filter(asked).cloned().collect();
        let settings = settings::of_request(self.request, self.properties, &invariants);
        raddle_machine::Settings { coverage: self.reached.clone(), ..settings }
    }

    /// Why a search that reached its memory limit says no more.
    pub fn memory_reason(&self, budget: &Budget, states: u64) -> String {
        let limit = budget.memory_limit_mb.unwrap_or(0);
        format!(
            "the memory limit of {limit} MB was reached ({states} states explored); try a larger --memory-limit, or \
             --store bitstate"
        )
    }

    /// `file:line:column`.
    pub fn place(&self, at: &CodePoint) -> String {
        let program = &self.loaded.program;
        let function = program.function(at.function);
        let place = function.places.get(at.pc as usize).copied().unwrap_or_default();
        format!("{}:{}:{}", program.file(place.file), place.line, place.column)
    }

    /// Whether an instruction is in a line of a file, which may be named by the end of its path.
    pub fn is_at(&self, at: &CodePoint, file: &str, line: u32) -> bool {
        let program = &self.loaded.program;
        let place = program.function(at.function).places.get(at.pc as usize).copied().unwrap_or_default();
        place.line == line && std::path::Path::new(program.file(place.file)).ends_with(file)
    }

    /// Facts that an engine came across: what ended runs before everything was executed.
    pub fn ended_early(
        &self,
        coverage: &mut Coverage,
        unsupported: Option<&(String, CodePoint)>,
        memory_fault: Option<&CodePoint>,
    ) {
        if let Some((reason, at)) = unsupported {
            let limit = if raddle_machine::is_limit_of_the_tool(reason) { "not supported: " } else { "" };
            coverage.but(CaveatKind::Unsupported, format!("{}: {limit}{reason}", self.place(at)));
        }
        if let Some(at) = memory_fault {
            let at = self.place(at);
            let sentence =
                format!("a memory fault at {at} terminates executions; code after it was not explored");
            coverage.but(CaveatKind::MemoryFault, sentence);
        }
    }

    /// Invariants that have no value in some state, and why.
    pub fn valueless(&self, coverage: &mut Coverage, troubles: &[(String, String)]) {
        for (text, why) in troubles {
            let sentence = format!(
                "the expression is undefined in some state: {why}; guard it, such as `p && p->x > 0`"
            );
            coverage.but_for(Property::Invariant(text.clone()), CaveatKind::NoValue, sentence);
        }
    }

    /// What is known of the program before any engine runs.
    pub fn facts(&self) -> Coverage {
        let mut coverage = Coverage::cut(Vec::new());
        if let Some(why) = &self.loaded.beyond {
            coverage.but(CaveatKind::Unsupported, why);
        }
        if let Some(why) = self.undeclared_weak_order() {
            coverage.but(CaveatKind::WeakOrder, why);
        }
        for sentence in &self.loaded.left_out {
            coverage.but(CaveatKind::Surroundings, sentence);
        }
        let error_function = self.request.semantics.error_function.as_deref();
        if let Some(why) = error_function.and_then(|name| unseen_calls(&self.loaded.program, name)) {
            coverage.but_for(Property::Assert, CaveatKind::Unsupported, why);
        }
        coverage
    }

    pub fn assumptions(&self, exposed: bool, report: &mut Report) {
        let semantics = &self.request.semantics;
        let assumptions = &mut report.assumptions;
        assumptions.add(Assumption::CreateNeverFails);
        assumptions.add(Assumption::DataModel(self.loaded.identity.data_model.clone()));
        if self.loaded.allocates {
            if !semantics.reuse_addresses {
                assumptions.add(Assumption::NoAddressReuse);
            }
            if !semantics.malloc_may_fail {
                assumptions.add(Assumption::MallocNeverFails);
            }
        }
        if exposed {
            assumptions.add(Assumption::OneAddressLayout);
        }
        if !semantics.spurious_wakeups {
            assumptions.add(Assumption::NoSpuriousWakeups);
        }
        if self.loaded.main_has_arguments {
            let given = &semantics.arguments;
            assumptions.add(Assumption::Fixed(match given.len() {
                0 => "main is called with argc = 1 (--args sets arguments)".into(),
                count => format!("main is called with argc = {}: {}", count + 1, given.join(" ")),
            }));
        }
        if let Some(order) = semantics.volatile {
            assumptions.add(Assumption::Fixed(format!(
                "volatile loads and stores of the sources are atomic, {} (--volatile-is-atomic)",
                order.word()
            )));
        }
        if semantics.clock_stands {
            assumptions.add(Assumption::Fixed("clocks stand still (--clock-stands-still)".into()));
        }
        for sentence in &self.loaded.fixed {
            assumptions.add(Assumption::Fixed(sentence.clone()));
        }
        for variable in &semantics.environment {
            assumptions.add(Assumption::Fixed(format!("the environment has {variable}")));
        }
        for file in &semantics.files {
            let (path, bytes) = (&file.path, file.contents.len());
            assumptions.add(Assumption::Fixed(format!(
                "the file {path} has the {bytes} bytes of --file, whatever is written to it; threads that read it by one \
                 descriptor or stream are ordered"
            )));
        }
        if let Some(file) = &semantics.standard_input {
            let (path, bytes) = (&file.path, file.contents.len());
            assumptions
                .add(Assumption::Fixed(format!("the standard input is {path} of --stdin, {bytes} bytes")));
        }
        for function in &semantics.havoc {
            assumptions.add(Assumption::Havoc(function.clone()));
        }
        for file in &semantics.models {
            assumptions.add(Assumption::AddedModels(file.display().to_string()));
        }
        for function in self.loaded.program.functions.iter().filter(|f| f.added && f.has_body()) {
            for declaration in &function.declarations {
                assumptions.add(Assumption::Declared(format!("`{}`: {declaration}", function.name)));
            }
        }
        if let Some(text) = self.undeclared_weak_order()
            && !report.bounds.other.contains(&text)
        {
            report.bounds.other.push(text);
        }
    }

    fn weak_order_text(&self, place: raddle_ir::Place) -> String {
        let file = self.loaded.program.file(place.file);
        format!(
            "orders weaker than seq_cst occur (first at {file}:{}:{}); only sequentially consistent executions were \
             explored (--memory-model sc accepts this)",
            place.line, place.column
        )
    }

    /// Weak orders that the user did not ask to be taken as sequential consistency: then nothing is proved.
    pub fn undeclared_weak_order(&self) -> Option<String> {
        let undeclared = self.request.semantics.memory_model.is_none();
        self.loaded.weak_order.filter(|_| undeclared).map(|place| self.weak_order_text(place))
    }
}

/// A bound in words.
pub fn with_at_most(most: u64, one: &str, many: &str) -> String {
    match most {
        0 => format!("without {many}"),
        1 => format!("with at most 1 {one}"),
        _ => format!("with at most {most} {many}"),
    }
}
