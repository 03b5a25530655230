//! Addresses that are observed: what a program computes then depends on the names of objects, which count the objects of a thread.
//! An address is observed where it becomes a number (by a conversion, a load, a call), is ordered with another one, or is
//! compared with a value that may be a number. A value may have several cases: its names are those of the cases that are known.
//!
//! The names of some objects are not the machine's (their counts depend on the path): then the number is a limit.
//! Which these are is kept from round to round, because threads that are executed earlier can read pointers to them.

use raddle_ir::{ConstantId, FunctionId, Operand, Register, RegisterType};
use raddle_machine::ObjectId;
use raddle_machine::pointer::{OFFSET_BITS, ObjectName};
use raddle_solver::Term;

use crate::executor::{Executor, Path};
use crate::pointers::Names;

pub(crate) fn is_of_stack(name: &u64) -> bool {
    matches!(ObjectId(*name).name(), ObjectName::Stack { .. })
}

impl Executor<'_> {
    /// The objects that a value of 64 bits may name, as far as they are known.
    pub fn mentioned(&mut self, value: Term) -> Names {
        match self.names_of(value).or_else(|| self.candidates.mentioned(&self.d, value)) {
            Some(names) => names,
            None => {
                self.exposed = true;
                Names::default()
            }
        }
    }

    /// A value of 64 bits lies in contended memory.
    pub(crate) fn publish(&mut self, bits: Term) {
        let names = self.mentioned(bits);
        self.learned.published.extend(names.iter().filter(|name| is_of_stack(name)));
    }

    /// The name of an object is not that of the machine. Threads that are executed before learn it for the next round.
    pub(crate) fn rename(&mut self, id: ObjectId) {
        self.renamed.insert(id);
        self.learned.renamed.insert(id);
    }

    pub(crate) fn is_renamed(&self, id: ObjectId) -> bool {
        self.learned.renamed.contains(&id)
    }

    /// The number of a pointer is used. That of an object with a name of its own is not known.
    pub fn expose(&mut self, path: &mut Path, value: Term) {
        let names = self.mentioned(value);
        let is_object = |name: &u64| ObjectId(*name).name() != ObjectName::None;
        self.exposed |= names.iter().any(is_object);
        if names.iter().any(|name| self.is_renamed(ObjectId(*name))) {
            self.limit_address(path);
        }
    }

    /// Two values are compared: where one may be a number, the address of the other is observed.
    pub fn compare_addresses(&mut self, path: &mut Path, a: Term, b: Term) {
        for (value, other) in [(a, b), (b, a)] {
            if self.d.as_constant(other) != Some(0) && self.may_be_number(value) {
                self.expose(path, other);
            }
        }
    }

    /// Whether a value may be one that was not made from the address of an object.
    fn may_be_number(&mut self, value: Term) -> bool {
        let Some(names) = self.names_of(value) else { return true };
        names.iter().any(|name| {
            let object = ObjectId(*name);
            let made = matches!(object.name(), ObjectName::Stack { .. } | ObjectName::Heap { .. });
            made && (self.learned.from_numbers.contains(name) || !self.objects.contains_key(&object))
        })
    }

    /// A value goes to another register: from a pointer to an integer it is a conversion, and back.
    pub(crate) fn moved_between(
        &mut self,
        path: &mut Path,
        (from, operand): (FunctionId, Operand),
        (to, register): (FunctionId, Register),
        value: Term,
    ) {
        let is_pointer = |function: FunctionId, register: Register| {
            self.program.function(function).registers[register.index()].ty == RegisterType::Pointer
        };
        let Some(source) = operand.as_register() else { return };
        match (is_pointer(from, source), is_pointer(to, register)) {
            (true, false) => self.expose(path, value),
            (false, true) => self.convert_number(value),
            _ => {}
        }
    }

    /// A number is converted to a pointer.
    pub(crate) fn convert_number(&mut self, bits: Term) {
        if let Some(names) = self.names_of(bits) {
            self.learned.from_numbers.extend(names.iter());
        }
    }

    /// Numbers in the code.
    pub(crate) fn learn_constants(&mut self) {
        let program = self.program;
        for (index, function) in program.functions.iter().enumerate() {
            for constant in 0..function.constants.len() {
                let (function, constant) = (FunctionId::new(index), ConstantId::new(constant));
                let bits = self.machine.constant(function, constant).map_or(0, |value| value.bits);
                self.learned.from_numbers.insert(bits >> OFFSET_BITS);
            }
        }
    }

    /// A number is used that is not the machine's.
    pub fn limit_address(&mut self, path: &Path) {
        let reason = "the address of an object whose place depends on inputs";
        self.limit(path.state.guard.term(), false, reason);
    }
}
