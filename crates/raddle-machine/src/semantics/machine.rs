//! The machine: a program made ready to be executed, its settings, and its first state.

use std::sync::Arc;

use raddle_ir::{
    Constant, ConstantId, Function, FunctionId, Global, Inst, Operand, Program, Register, RegisterType,
    SymbolTarget,
};

use crate::semantics::call_types::CallTypes;
use crate::semantics::copy_on_write::Shared;
use crate::semantics::coverage::Coverage;
use crate::semantics::events::Events;
use crate::semantics::expression::Expression;
use crate::semantics::memory::Memory;
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer::{self, MAX_OBJECT, ObjectId};
use crate::semantics::pointer_constants::compares_with_numbers;
use crate::semantics::state::State;
use crate::semantics::thread::{Frame, Status, Thread};
use raddle_semantics::Value;

/// What the meaning of a program depends on, beside its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Use of an indeterminate value is a memory fault; otherwise it is a choice.
    pub memory_safety: bool,
    /// Signed overflow, division by zero and shift range are reported (the result is the same either way).
    pub overflow: bool,
    pub spurious_wakeups: bool,
    pub malloc_may_fail: bool,
    pub reuse_addresses: bool,
    /// Clocks give one time for ever.
    pub clock_stands: bool,
    /// Instructions of one local computation, after which the run is given up.
    pub local_limit: u64,
    /// While one thread runs alone, its visible operations are one step.
    pub fuse_alone: bool,
    /// A failed assertion stops its thread as `abort` does, instead of ending the run: what others still do could
    /// have come before it.
    pub go_on_after_assertion: bool,
    /// Must hold after each visible operation, outside atomic sections.
    pub invariants: Vec<Expression>,
    /// Where it is noted what executions reach.
    pub coverage: Coverage,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            memory_safety: true,
            overflow: true,
            spurious_wakeups: true,
            malloc_may_fail: false,
            reuse_addresses: false,
            clock_stands: false,
            local_limit: 30_000_000,
            fuse_alone: true,
            go_on_after_assertion: false,
            invariants: Vec::new(),
            coverage: Coverage::default(),
        }
    }
}

/// What the machine keeps ready of a function.
#[derive(Debug)]
pub(crate) struct Ready {
    pub constants: Vec<Value>,
    pub registers: u32,
    /// Some `copy`, `select` or `freeze` moves between a pointer and an integer register.
    pub crossing: bool,
    pub call_types: CallTypes,
}

#[derive(Debug)]
pub struct Machine {
    pub program: Arc<Program>,
    pub settings: Settings,
    pub(crate) ready: Vec<Ready>,
    pub(crate) events: Events,
    /// First contents of the globals that are not thread-local.
    globals: Vec<Shared<Object>>,
    /// ILP32: the globals have no room below the objects of main.
    crowded: bool,
    /// Whether addresses count as observed from the start.
    exposed: bool,
    /// Instructions are executed by the slow interpreter.
    #[cfg(test)]
    pub(crate) slow: bool,
}

// SAFETY of sharing: `globals` are only cloned under `&self` through `Machine::start`, and `Shared` is not `Sync`; a
// machine is therefore not `Sync` either: each worker makes its own with `Machine::new` from the shared program.

/// A program that the machine refuses before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct TooLarge {
    pub global: String,
    pub size: u64,
}

impl Machine {
    /// The value of a function's constant.
    pub fn constant(&self, function: FunctionId, id: ConstantId) -> Option<Value> {
        self.ready.get(function.index())?.constants.get(id.index()).copied()
    }

    pub fn new(program: Arc<Program>, settings: Settings) -> Result<Machine, TooLarge> {
        let ready = program
            .functions
            .iter()
            .enumerate()
            .map(|(index, f)| Ready {
                constants: f.constants.iter().map(|c| constant_value(c, index)).collect(),
                registers: f.registers.len() as u32,
                crossing: f.code.iter().any(|inst| crosses(f, inst)),
                call_types: CallTypes::of(&program, f),
            })
            .collect();
        let events = Events::of(&program);
        let mut machine = Machine {
            ready,
            events,
            globals: Vec::new(),
            crowded: false,
            exposed: compares_with_numbers(&program),
            #[cfg(test)]
            slow: false,
            settings,
            program,
        };
        let mut next32 = 0x0800_0000u32;
        let program = machine.program.clone();
        for (index, global) in program.globals.iter().enumerate() {
            if global.size > MAX_OBJECT {
                return Err(TooLarge { global: global.name.clone(), size: global.size });
            }
            let mut object = Object::new(
                ObjectKind::Global(raddle_ir::GlobalId::new(index)),
                // An object that is defined nowhere has no bytes: every access to it is refused.
                if global.thread_local || global.external { 0 } else { global.size as u32 },
                true,
            );
            object.base32 = align32(next32, global.align);
            next32 = object.base32.saturating_add(global.size as u32).saturating_add(16).min(0xf000_0000);
            machine.globals.push(Shared::new(object));
        }
        machine.crowded = next32 > crate::semantics::address32::FIRST_ADDRESS;
        // Relocations may point to any global, so contents come after all addresses.
        let mut memory = Memory::new(program.data_model);
        memory.globals = machine.globals.clone();
        for (index, global) in program.globals.iter().enumerate() {
            if !global.thread_local {
                write_initializer(&mut memory, ObjectId::global(index as u32).base(), global);
                if global.constant {
                    memory.edit(ObjectId::global(index as u32)).expect("it is there").constant = true;
                }
            }
        }
        machine.globals = memory.globals;
        Ok(machine)
    }

    /// The state before the first instruction; call [`Machine::start`] to reach the first visible operation.
    pub(crate) fn blank_state(&self) -> State {
        let mut memory = Memory::new(self.program.data_model);
        memory.globals = self.globals.clone();
        memory.crowded = self.crowded;
        memory.exposed = self.exposed;
        let tcb = self.program.main_tcb.map_or(0, |g| ObjectId::global(g.0).base());
        let mut main = new_thread(1, tcb);
        self.push_entry(&mut main, self.program.entry);
        State { threads: vec![Shared::new(main)], memory, section: None, atomic: None, running: 1, end: None }
    }

    /// What a global that is not thread-local begins with.
    pub fn first_content(&self, global: raddle_ir::GlobalId) -> Object {
        (*self.globals[global.index()]).clone()
    }

    /// What a thread's instance of a thread-local begins with.
    pub fn first_thread_local(&self, global: raddle_ir::GlobalId) -> Object {
        let data = self.program.global(global);
        let id = ObjectId::heap(1, 0);
        let mut memory = Memory::new(self.program.data_model);
        memory.globals = self.globals.clone();
        memory.add(id, Object::new(ObjectKind::ThreadLocal(global), data.size.min(MAX_OBJECT) as u32, true));
        write_initializer(&mut memory, id.base(), data);
        memory.object(id).expect("just added").clone()
    }

    /// Whether some function of the program has a marker of this event.
    pub fn has_event(&self, event: u64) -> bool {
        self.events.has(event)
    }

    /// Whether a call through a pointer has the callee's arguments and results.
    pub fn call_fits(&self, callee: FunctionId, caller: FunctionId, call: &raddle_ir::Call) -> bool {
        self.ready[callee.index()].call_types.fits(&self.program, self.program.function(caller), call)
    }

    /// What each global begins with.
    pub(crate) fn first_globals(&self) -> &[Shared<Object>] {
        &self.globals
    }

    pub(crate) fn push_entry(&self, thread: &mut Thread, function: FunctionId) {
        self.settings.coverage.enter(function);
        let registers = self.ready[function.index()].registers;
        thread.registers = vec![Value::UNDEFINED; registers as usize];
        thread.frames =
            vec![Frame { function, pc: 0, base: 0, objects: Vec::new(), variadic: Vec::new(), jump_mark: 0 }];
    }
}

/// Whether the instruction moves a value from a pointer to an integer register, or back.
pub(crate) fn crosses(function: &Function, inst: &Inst) -> bool {
    let to = |destination: Register, operands: &[Operand]| {
        let pointer = is_pointer(function, destination);
        operands.iter().any(|o| o.as_register().is_some_and(|r| is_pointer(function, r) != pointer))
    };
    match inst {
        Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
            to(*destination, &[*source])
        }
        Inst::Select { destination, yes, no, .. } => to(*destination, &[*yes, *no]),
        _ => false,
    }
}

pub(crate) fn is_pointer(function: &Function, register: Register) -> bool {
    function.registers[register.index()].ty == RegisterType::Pointer
}

pub(crate) fn new_thread(number: u32, tcb: u64) -> Thread {
    Thread {
        number,
        parent: None,
        created_at: None,
        status: Status::Running,
        frames: Vec::new(),
        registers: Vec::new(),
        tcb,
        pending: None,
        resolved: None,
        transfer: None,
        holds: Vec::new(),
        thread_locals: Vec::new(),
        yielded: false,
        children: 0,
        heap_count: 0,
        stack_count: 0,
        jump_count: 0,
        next32: 0,
    }
}

fn align32(address: u32, align: u32) -> u32 {
    let align = align.max(16).next_power_of_two();
    address.wrapping_add(align - 1) & !(align - 1)
}

fn constant_value(constant: &Constant, function: usize) -> Value {
    match constant {
        Constant::Bits(bits) => Value::of(*bits),
        Constant::Global(g, offset) => Value::of(ObjectId::global(g.0).base().wrapping_add(*offset as u64)),
        Constant::Function(f) => Value::of(pointer::function_pointer(f.0)),
        Constant::Undefined => Value::UNDEFINED,
        Constant::Block(b) => Value::of(block_pointer(function as u32, b.0)),
    }
}

/// The address of a block: behind its function's.
pub(crate) fn block_pointer(function: u32, block: u32) -> u64 {
    pointer::function_pointer(function).wrapping_add(block as u64 + 1)
}

/// Writes a global's first content at `base` (its own object, or a thread's instance of it).
pub(crate) fn write_initializer(memory: &mut Memory, base: u64, global: &Global) {
    let id = pointer::object(base);
    let word = memory.word();
    let width = raddle_ir::Width::Pointer;
    let length = (global.initializer.bytes.len() as u32).min(global.size as u32);
    if length > 0 {
        let fragment = crate::semantics::object::Fragment {
            bytes: global.initializer.bytes[..length as usize].to_vec(),
            ..Default::default()
        };
        memory.edit(id).expect("it is there").insert(0, &fragment, word);
    }
    for r in &global.initializer.relocations {
        let target = match r.target {
            SymbolTarget::Global(g) => ObjectId::global(g.0).base(),
            SymbolTarget::Function(f) => pointer::function_pointer(f.0),
            SymbolTarget::Block(f, b) => block_pointer(f.0, b.0),
        };
        let value = Value::of(target.wrapping_add(r.addend as u64));
        if r.offset + word as u64 <= global.size {
            memory.store(base + r.offset, width, value).expect("inside the object");
        }
    }
    for (start, end) in &global.initializer.undefined {
        let end = (*end).min(global.size) as u32;
        memory.edit(id).expect("it is there").set_undefined_range(*start as u32, end);
    }
}
