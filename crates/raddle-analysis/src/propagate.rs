//! The propagation of pointers through the program, to its least fixpoint; its use and its soundness: `escape.rs`.
//!
//! A function is evaluated until its registers no longer grow, and again when its parameters, the results of what it
//! calls, or the content of an object that it reads have grown. Everything only grows, so the order does not matter for
//! the result, except where a set became too large; it is fixed all the same.

mod observations;
mod transfer;

use std::borrow::Cow;
use std::collections::VecDeque;

use raddle_ir::{
    Callee, CastOp, Constant, GlobalId, Inst, Operand, OperandKind, Program, Register, SymbolTarget, Width,
};

use crate::points_to::{ANYWHERE, Content, ObjectIndex, Target, Targets, moved, overlaps};

/// More targets than this in one set: they all count as shared. Keeps the analysis near linear.
const MAX_TARGETS: usize = 64;
/// More than this: worth checking which of them have escaped meanwhile.
const MANY_TARGETS: usize = 8;

/// What an abstract object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Shared,
    Stack,
    ThreadLocal,
    Arguments,
    Global,
    /// A global that cannot be written.
    Constant,
}

pub(crate) struct ObjectFacts {
    pub kind: Kind,
    /// Pointers into it may be in the shared object.
    pub escaped: bool,
    /// Some instruction may write it.
    pub written: bool,
    content: Content,
    /// Functions that read its content.
    readers: Vec<usize>,
}

pub(crate) struct Analysis<'a> {
    pub program: &'a Program,
    pub objects: Vec<ObjectFacts>,
    /// The object of each `alloca`, by function and instruction.
    stack: Vec<Vec<(usize, ObjectIndex)>>,
    /// The variadic arguments of each function.
    arguments: Vec<Option<ObjectIndex>>,
    registers: Vec<Vec<Targets>>,
    results: Vec<Vec<Targets>>,
    /// Called indirectly, by a thread's creation, or by unknown code.
    address_taken: Vec<bool>,
    callers: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    /// The function being evaluated, and whether one of its registers grew.
    pub current: usize,
    grew: bool,
    /// By function: registers that hold nothing but addresses as numbers.
    plain_addresses: Vec<Vec<bool>>,
    /// Some format may write through its arguments (`%n`).
    prints_counts: bool,
}

impl<'a> Analysis<'a> {
    pub fn run(program: &'a Program) -> Analysis<'a> {
        let mut analysis = Analysis::new(program);
        analysis.find_functions();
        analysis.read_initializers();
        analysis.drain();
        analysis
    }

    pub fn is_address_taken(&self, function: usize) -> bool {
        self.address_taken[function]
    }

    /// The stack objects and argument block of a function.
    pub fn locals_of(&self, function: usize) -> impl Iterator<Item = ObjectIndex> + '_ {
        self.stack[function].iter().map(|(_, object)| *object).chain(self.arguments[function])
    }

    fn drain(&mut self) {
        while let Some(function) = self.queue.pop_front() {
            self.queued[function] = false;
            self.function(function);
        }
    }

    fn new(program: &'a Program) -> Analysis<'a> {
        let count = program.functions.len();
        let mut objects = vec![new_object(Kind::Shared)];
        for global in &program.globals {
            objects.push(new_object(match (global.thread_local, global.constant) {
                (true, _) => Kind::ThreadLocal,
                (false, true) => Kind::Constant,
                (false, false) => Kind::Global,
            }));
        }
        let mut stack = Vec::with_capacity(count);
        let mut arguments = Vec::with_capacity(count);
        for function in &program.functions {
            let mut own = Vec::new();
            for (pc, inst) in function.code.iter().enumerate() {
                if let Inst::Alloca { .. } = inst {
                    own.push((pc, ObjectIndex(objects.len() as u32)));
                    objects.push(new_object(Kind::Stack));
                }
            }
            stack.push(own);
            arguments.push(function.variadic.then(|| {
                objects.push(new_object(Kind::Arguments));
                ObjectIndex(objects.len() as u32 - 1)
            }));
        }
        Analysis {
            prints_counts: program.globals.iter().any(|g| g.constant && has_count(&g.initializer.bytes)),
            program,
            objects,
            stack,
            arguments,
            registers: program
                .functions
                .iter()
                .map(|f| vec![Targets::default(); f.registers.len()])
                .collect(),
            results: program.functions.iter().map(|f| vec![Targets::default(); f.results as usize]).collect(),
            address_taken: vec![false; count],
            callers: vec![Vec::new(); count],
            queue: (0..count).collect(),
            queued: vec![true; count],
            current: 0,
            grew: false,
            plain_addresses: program.functions.iter().map(plain_addresses).collect(),
        }
    }

    fn global(&self, id: GlobalId) -> ObjectIndex {
        ObjectIndex(id.0 + 1)
    }

    /// The call graph, and the functions that may be called from anywhere.
    fn find_functions(&mut self) {
        let program = self.program;
        for (caller, function) in program.functions.iter().enumerate() {
            for inst in &function.code {
                if let Inst::Call(call) = inst
                    && let Callee::Direct(callee) = call.callee
                {
                    let callers = &mut self.callers[callee.index()];
                    if callers.last() != Some(&caller) {
                        callers.push(caller);
                    }
                }
            }
            // Constants that no instruction uses do no harm; the callee of a direct call is none of them.
            for constant in &function.constants {
                if let Constant::Function(id) = constant {
                    self.address_taken[id.index()] = true;
                }
            }
        }
        for relocation in program.globals.iter().flat_map(|g| &g.initializer.relocations) {
            if let SymbolTarget::Function(id) | SymbolTarget::Block(id, _) = relocation.target {
                self.address_taken[id.index()] = true;
            }
        }
        for (index, function) in program.functions.iter().enumerate() {
            if self.address_taken[index] {
                for parameter in &function.parameters {
                    self.registers[index][parameter.index()].insert(Target::SHARED);
                }
                if let Some(arguments) = self.arguments[index] {
                    self.objects[arguments.index()].content.add(ANYWHERE, &Targets::shared());
                }
            }
        }
    }

    /// Pointers in first contents: those in variables that any thread can read are shared from the start.
    fn read_initializers(&mut self) {
        let program = self.program;
        for (index, global) in program.globals.iter().enumerate() {
            let holder = self.global(GlobalId::new(index));
            for relocation in &global.initializer.relocations {
                let SymbolTarget::Global(target) = relocation.target else { continue };
                let object = self.global(target);
                let targets = Targets::of(Target::start(object).moved(relocation.addend));
                let at = i64::try_from(relocation.offset).map_or(ANYWHERE, |offset| moved(0, offset));
                self.store_into(Target { object: holder, offset: at }, &targets);
            }
        }
        if let Some(tcb) = program.main_tcb {
            let targets = Targets::of(Target::start(self.global(tcb)));
            self.escape(&targets);
        }
    }

    fn enqueue(&mut self, function: usize) {
        if !self.queued[function] {
            self.queued[function] = true;
            self.queue.push_back(function);
        }
    }

    /// To the local fixpoint.
    fn function(&mut self, index: usize) {
        let function = &self.program.functions[index];
        self.current = index;
        loop {
            self.grew = false;
            for (pc, inst) in function.code.iter().enumerate() {
                self.inst(pc, inst);
            }
            if !self.grew {
                break;
            }
        }
    }

    pub fn get(&self, operand: Operand) -> Targets {
        match operand.kind() {
            OperandKind::Register(register) => self.registers[self.current][register.index()].clone(),
            OperandKind::Constant(id) => {
                match self.program.functions[self.current].constants[id.index()] {
                    Constant::Global(global, offset) => {
                        Targets::of(Target::start(self.global(global)).moved(offset))
                    }
                    // The address of an object has neither only zeros nor only ones above.
                    Constant::Bits(bits) if !matches!(bits >> 52, 0 | 0xfff) => Targets::shared(),
                    // Functions and blocks are no memory.
                    _ => Targets::default(),
                }
            }
        }
    }

    fn set(&mut self, register: Register, targets: &Targets) {
        let current = self.current;
        self.grew |= self.grow(current, register, targets);
    }

    /// Adds to a register of any function; true if it grew.
    fn grow(&mut self, function: usize, register: Register, targets: &Targets) -> bool {
        if targets.is_empty() {
            return false;
        }
        let targets = self.condensed(targets);
        let own = &mut self.registers[function][register.index()];
        if own.is_full() {
            self.escape(&targets);
            return false;
        }
        if !own.add(&targets) {
            return false;
        }
        if own.len() > MANY_TARGETS {
            let all = std::mem::take(own);
            let mut kept = self.condensed(&all).into_owned();
            if kept.len() > MAX_TARGETS {
                self.escape(&kept);
                kept = Targets::full();
            }
            self.registers[function][register.index()] = kept;
        }
        true
    }

    /// With one shared target for all objects that escaped: a pointer to them means no more than that.
    fn condensed<'t>(&self, targets: &'t Targets) -> Cow<'t, Targets> {
        let gone = |target: Target| {
            let facts = &self.objects[target.object.index()];
            facts.escaped && facts.kind != Kind::Constant
        };
        match targets.iter().any(gone) {
            true => Cow::Owned(targets.map(|t| if gone(t) { Target::SHARED } else { t })),
            false => Cow::Borrowed(targets),
        }
    }

    /// Pointers to all this may now be anywhere.
    fn escape(&mut self, targets: &Targets) {
        let mut work: Vec<ObjectIndex> = targets.iter().map(|t| t.object).collect();
        while let Some(object) = work.pop() {
            let facts = &mut self.objects[object.index()];
            if facts.escaped || facts.kind == Kind::Shared {
                continue;
            }
            facts.escaped = true;
            work.extend(facts.content.all().iter().map(|t| t.object));
            // From now on it is read as the shared object is.
            if facts.kind != Kind::Constant {
                facts.content = Content::default();
            }
            self.content_changed(object);
        }
    }

    fn content_changed(&mut self, object: ObjectIndex) {
        for reader in self.objects[object.index()].readers.clone() {
            self.enqueue(reader);
        }
    }

    /// Whether any thread may read what is stored there.
    fn is_public(&self, object: ObjectIndex) -> bool {
        let facts = &self.objects[object.index()];
        matches!(facts.kind, Kind::Shared | Kind::Global) || facts.escaped
    }

    fn store_into(&mut self, place: Target, targets: &Targets) {
        if self.is_public(place.object) {
            self.escape(targets);
            return;
        }
        let targets = self.condensed(targets);
        if self.objects[place.object.index()].content.add(place.offset, &targets) {
            self.content_changed(place.object);
        }
    }

    fn store(&mut self, address: &Targets, targets: &Targets) {
        for place in address.iter() {
            self.objects[place.object.index()].written = true;
            self.store_into(place, targets);
        }
    }

    fn load(&mut self, address: &Targets, length: i64) -> Targets {
        let mut out = Targets::default();
        for place in address.iter() {
            let current = self.current;
            let facts = &mut self.objects[place.object.index()];
            // What is in the others never changes.
            let grows = matches!(facts.kind, Kind::Stack | Kind::ThreadLocal | Kind::Arguments);
            if grows && !facts.readers.contains(&current) {
                facts.readers.push(current);
            }
            // A constant never changes, even if its address escapes.
            if facts.kind != Kind::Constant && self.is_public(place.object) {
                out.insert(Target::SHARED);
            } else {
                out.add(&self.objects[place.object.index()].content.read(place.offset, length));
            }
        }
        out
    }

    fn copy_memory(&mut self, destination: &Targets, source: &Targets, length: Option<i64>) {
        for to in destination.iter() {
            self.objects[to.object.index()].written = true;
        }
        for from in source.iter() {
            let whole = self.load(&Targets::of(from.anywhere()), 0);
            if whole.is_empty() {
                continue;
            }
            let public =
                self.is_public(from.object) && self.objects[from.object.index()].kind != Kind::Constant;
            for to in destination.iter() {
                if public || from.offset == ANYWHERE || to.offset == ANYWHERE || from.object == to.object {
                    self.store_into(to.anywhere(), &whole);
                    continue;
                }
                let content = self.objects[from.object.index()].content.clone();
                for (at, targets) in content.entries() {
                    if length.is_none_or(|length| overlaps(at, from.offset, length)) {
                        let offset = match at {
                            ANYWHERE => ANYWHERE,
                            at => moved(to.offset, at as i64 - from.offset as i64),
                        };
                        self.store_into(Target { object: to.object, offset }, targets);
                    }
                }
            }
        }
    }

    fn width(&self, width: Width) -> i64 {
        width.bytes(self.program.data_model) as i64
    }

    fn is_plain_address(&self, operand: Operand) -> bool {
        operand.as_register().is_some_and(|r| self.plain_addresses[self.current][r.index()])
    }

    /// A literal number.
    fn literal(&self, operand: Operand) -> Option<u64> {
        let constant = operand.as_constant()?;
        match self.program.functions[self.current].constants[constant.index()] {
            Constant::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}

fn new_object(kind: Kind) -> ObjectFacts {
    ObjectFacts { kind, escaped: false, written: false, content: Content::default(), readers: Vec::new() }
}

/// Whether a text has the conversion `%n`; the machine accepts it in string constants only.
fn has_count(text: &[u8]) -> bool {
    let between = |c: &u8| b"-+ #0123456789$.*hljztLqI'".contains(c);
    let mut after_percent =
        text.iter().enumerate().filter(|(_, c)| **c == b'%').map(|(at, _)| &text[at + 1..]);
    after_percent.any(|rest| rest.iter().find(|c| !between(c)) == Some(&b'n'))
}

/// Registers that only conversions of pointers to integers write.
fn plain_addresses(function: &raddle_ir::Function) -> Vec<bool> {
    let mut converted = vec![false; function.registers.len()];
    let mut other = converted.clone();
    for inst in &function.code {
        let conversion = matches!(inst, Inst::Cast { op: CastOp::PointerToInt, .. });
        inst.for_each_destination(|r| if conversion { &mut converted } else { &mut other }[r.index()] = true);
    }
    function.parameters.iter().for_each(|r| other[r.index()] = true);
    converted.iter().zip(other).map(|(converted, other)| *converted && !other).collect()
}
