//! What each instruction means for the sets of targets: the constraints of the points-to analysis by allocation sites (Andersen
//! 1994). The same cases as in `propagate/transfer.rs`, without the shared object.

use std::rc::Rc;

use raddle_ir::{
    BinaryOp, Call, Callee, CastOp, Declaration, Function, GlobalId, Inst, KernelOp, Operand, OperandKind,
    Program, Register, SymbolTarget, UpdateOp,
};
use rustc_hash::FxHashMap;

use super::solve::{Callable, Node, Passed, Shift, Solver, offset_of, shift};
use super::{ObjectKind, Objects};
use crate::points_to::{ANYWHERE, ObjectIndex, Target};
use crate::thread_numbers::declares;

struct Constraints<'a> {
    program: &'a Program,
    objects: &'a Objects,
    solver: Solver,
    constants: FxHashMap<Target, Node>,
    results: Vec<Vec<Node>>,
    function: usize,
}

/// The constraints of a program.
pub(super) fn of(program: &Program, objects: &Objects) -> Solver {
    let function_of = |object: &super::Object| match object.kind {
        ObjectKind::Function(function) => Some(function.0),
        _ => None,
    };
    let registers: Vec<usize> = program.functions.iter().map(|f| f.registers.len()).collect();
    let mut solver = Solver::new(objects.objects.iter().map(function_of).collect(), &registers);
    let mut results = Vec::new();
    let mut callables = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let own: Vec<Node> = (0..function.results).map(|_| solver.unlimited()).collect();
        callables.push(Callable {
            parameters: function.parameters.iter().map(|r| solver.register(index, r.index())).collect(),
            results: function.has_body().then(|| own.clone()),
            arguments: objects.arguments[index],
            creates: declares(function, &Declaration::Creates),
        });
        results.push(own);
    }
    solver.set_callables(callables);
    let constants = FxHashMap::default();
    let mut constraints = Constraints { program, objects, solver, constants, results, function: 0 };
    constraints.initial_contents();
    for (index, function) in program.functions.iter().enumerate() {
        constraints.function = index;
        for (pc, inst) in function.code.iter().enumerate() {
            constraints.inst(pc, inst);
        }
    }
    constraints.solver
}

impl<'a> Constraints<'a> {
    fn initial_contents(&mut self) {
        let (program, objects) = (self.program, self.objects);
        for (index, global) in program.globals.iter().enumerate() {
            let holder = objects.global(GlobalId::new(index));
            for relocation in &global.initializer.relocations {
                let target = match relocation.target {
                    SymbolTarget::Global(target) => {
                        Target::start(objects.global(target)).moved(relocation.addend)
                    }
                    SymbolTarget::Function(function) => Target::start(objects.functions[function.index()]),
                    SymbolTarget::Block(..) => continue,
                };
                self.solver.initial(holder, offset_of(relocation.offset), target);
            }
        }
        if let Some(tcb) = program.main_tcb {
            self.solver.insert(self.solver.blocks, Target::start(objects.global(tcb)));
        }
    }

    fn body(&self) -> &'a Function {
        &self.program.functions[self.function]
    }

    fn literal(&self, operand: Operand) -> Option<u64> {
        self.body().constant_bits(operand)
    }

    fn register(&self, register: Register) -> Node {
        self.solver.register(self.function, register.index())
    }

    /// A node with one target.
    fn constant(&mut self, target: Target) -> Node {
        if target.object == ObjectIndex::UNKNOWN {
            return self.solver.unknown();
        }
        if let Some(node) = self.constants.get(&target) {
            return *node;
        }
        let node = self.solver.node();
        self.solver.insert(node, target);
        self.constants.insert(target, node);
        node
    }

    /// The node of an operand; `None`: it never points to anything.
    fn get(&mut self, operand: Operand) -> Option<Node> {
        match operand.kind() {
            OperandKind::Register(register) => Some(self.register(register)),
            OperandKind::Constant(id) => {
                let targets = self.objects.constant(&self.body().constants[id.index()]);
                let target = targets.iter().next()?;
                Some(self.constant(target))
            }
        }
    }

    fn flow(&mut self, from: Operand, to: Node, by: Shift) {
        if let Some(from) = self.get(from) {
            self.solver.edge(from, to, by);
        }
    }

    /// A node with the targets of an operand, moved.
    fn moved(&mut self, from: Operand, by: Shift) -> Option<Node> {
        let from = self.get(from)?;
        if by == 0 {
            return Some(from);
        }
        let node = self.solver.node();
        self.solver.edge(from, node, by);
        Some(node)
    }

    fn load(&mut self, address: Operand, bytes: i64, destination: Node) {
        if let Some(address) = self.get(address) {
            self.solver.load(address, bytes, destination);
        }
    }

    fn store(&mut self, address: Option<Node>, source: Option<Node>) {
        if let (Some(address), Some(source)) = (address, source) {
            self.solver.store(address, source);
        }
    }

    fn inst(&mut self, pc: usize, inst: &Inst) {
        let model = self.program.data_model;
        match inst {
            Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                self.flow(*source, self.register(*destination), 0);
            }
            Inst::Select { destination, yes, no, .. } => {
                self.flow(*yes, self.register(*destination), 0);
                self.flow(*no, self.register(*destination), 0);
            }
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                let destination = self.register(*destination);
                let step = match self.literal(*index) {
                    _ if *scale == 0 => Some(*offset as i64),
                    Some(index) => {
                        let unused = 64 - (*bits).clamp(1, 64) as u32;
                        let index = ((index << unused) as i64) >> unused;
                        Some(index.saturating_mul(*scale as i64).saturating_add(*offset as i64))
                    }
                    None => None,
                };
                self.flow(*base, destination, step.map_or(ANYWHERE, shift));
                // Null plus a number that was a pointer. No global is at null.
                if *scale != 0 && (base.as_register().is_some() || self.get(*base).is_none()) {
                    self.flow(*index, destination, ANYWHERE);
                }
            }
            // Plain numbers.
            Inst::Compare { .. } | Inst::FloatCompare { .. } | Inst::StackSave { .. } => {}
            Inst::Binary { op, destination, a, b, .. } => {
                let destination = self.register(*destination);
                self.flow(*a, destination, ANYWHERE);
                // What a number is divided by, or shifted by, is no part of a pointer.
                if !matches!(op, BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr) {
                    self.flow(*b, destination, ANYWHERE);
                }
            }
            Inst::Cast { op, destination, source, .. } => {
                let destination = self.register(*destination);
                // An address in a variable as wide as a pointer stays what it is.
                let whole = matches!(op, CastOp::PointerToInt | CastOp::IntToPointer);
                self.flow(*source, destination, if whole { 0 } else { ANYWHERE });
                if *op == CastOp::IntToPointer && self.literal(*source).is_none() {
                    self.solver.insert(destination, Target::SHARED);
                }
            }
            Inst::FloatBinary { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatMultiplyAdd { .. }
            | Inst::FloatCast { .. }
            | Inst::Overflow { .. }
            | Inst::Bits { .. }
            | Inst::Wide(_) => {
                let mut destinations = Vec::new();
                inst.for_each_destination(|register| destinations.push(self.register(register)));
                let mut operands = Vec::new();
                inst.for_each_operand(|operand| operands.push(operand));
                for destination in destinations {
                    operands.iter().for_each(|operand| self.flow(*operand, destination, ANYWHERE));
                }
            }
            Inst::Load { width, destination, address, .. } => {
                self.load(*address, width.bytes(model) as i64, self.register(*destination));
            }
            Inst::Store { address, source, .. } => {
                let (address, source) = (self.get(*address), self.get(*source));
                self.store(address, source);
            }
            Inst::Update { op, width, destination, address, source, .. } => {
                let destination = self.register(*destination);
                self.load(*address, width.bytes(model) as i64, destination);
                let new = match op {
                    UpdateOp::Exchange => self.get(*source),
                    _ => {
                        let old = self.solver.node();
                        self.load(*address, width.bytes(model) as i64, old);
                        let new = self.solver.node();
                        self.solver.edge(old, new, ANYWHERE);
                        self.flow(*source, new, ANYWHERE);
                        Some(new)
                    }
                };
                let address = self.get(*address);
                self.store(address, new);
            }
            Inst::CompareExchange { width, old, address, new, .. } => {
                self.load(*address, width.bytes(model) as i64, self.register(*old));
                let (address, new) = (self.get(*address), self.get(*new));
                self.store(address, new);
            }
            Inst::Alloca { destination, .. } => self.at_site(pc, *destination),
            Inst::ThreadLocal { destination, global, offset } => {
                let target = Target::start(self.objects.global(*global)).moved(*offset);
                self.solver.insert(self.register(*destination), target);
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                let length = self.literal(*length).and_then(|n| i64::try_from(n).ok());
                self.copy(*destination, *source, length);
            }
            Inst::MemorySet { destination, byte, .. } => {
                let (to, byte) = (self.moved(*destination, ANYWHERE), self.moved(*byte, ANYWHERE));
                self.store(to, byte);
            }
            Inst::VaStart { list, .. } => {
                let Some(arguments) = self.objects.arguments[self.function] else { return };
                let at = if model.pointer_bytes() == 4 { 0 } else { 8 };
                let list = self.moved(*list, at);
                let block = self.constant(Target::start(arguments));
                self.store(list, Some(block));
            }
            Inst::VaCopy { destination, source, .. } => {
                let length = if model.pointer_bytes() == 4 { 4 } else { 24 };
                self.copy(*destination, *source, Some(length));
            }
            Inst::Call(call) => self.call(pc, call),
            Inst::Kernel { op, destination, arguments } => self.kernel(pc, *op, *destination, arguments),
            Inst::Return { values } => {
                for (i, value) in values.iter().enumerate() {
                    if let Some(result) = self.results[self.function].get(i).copied() {
                        self.flow(*value, result, 0);
                    }
                }
            }
            Inst::SetJump { .. }
            | Inst::Fence { .. }
            | Inst::StackRestore { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::VaEnd { .. }
            | Inst::LongJump { .. }
            | Inst::Unsupported { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch(_)
            | Inst::IndirectJump { .. }
            | Inst::Unreachable => {}
        }
    }

    fn at_site(&mut self, pc: usize, destination: Register) {
        if let Some(object) = self.objects.sites.get(&(self.function, pc)) {
            self.solver.insert(self.register(destination), Target::start(*object));
        }
    }

    fn copy(&mut self, to: Operand, from: Operand, length: Option<i64>) {
        if let (Some(to), Some(from)) = (self.get(to), self.get(from)) {
            self.solver.copy(to, from, length);
        }
    }

    fn call(&mut self, pc: usize, call: &Call) {
        let is_site = self.objects.sites.contains_key(&(self.function, pc));
        let passed = Passed {
            arguments: call.arguments.iter().map(|argument| self.get(*argument)).collect(),
            fixed: call.arguments.len() - call.variadic.len(),
            results: call.results.iter().map(|register| self.register(*register)).collect(),
            passes: !matches!(call.callee, Callee::Indirect(_)) || !self.objects.bodies[self.function],
        };
        match call.callee {
            Callee::Direct(callee) => {
                self.solver.connect(callee.0, &passed, !is_site);
                if let (true, Some(register)) = (is_site, call.results.first()) {
                    self.at_site(pc, *register);
                }
            }
            Callee::Indirect(operand) => {
                if let Some(pointer) = self.get(operand) {
                    self.solver.call(pointer, Rc::new(passed));
                }
            }
        }
    }

    fn kernel(&mut self, pc: usize, op: KernelOp, destination: Option<Register>, arguments: &[Operand]) {
        match op {
            KernelOp::Spawn => {
                let (start, block) = (self.get(arguments[0]), self.get(arguments[1]));
                if let Some(block) = block {
                    if let Some(start) = start {
                        self.solver.start(start, block);
                    }
                    self.solver.edge(block, self.solver.blocks, 0);
                }
            }
            KernelOp::Tcb => {
                if let Some(register) = destination {
                    self.solver.edge(self.solver.blocks, self.register(register), 0);
                }
            }
            KernelOp::Alloc | KernelOp::AllocAligned => {
                if let Some(register) = destination {
                    self.at_site(pc, register);
                }
            }
            // Input as wide as a pointer may have any bits.
            KernelOp::Any => {
                let bits = self.literal(arguments[0]).unwrap_or(64);
                if let Some(register) = destination
                    && bits >= u64::from(self.program.data_model.pointer_bits())
                {
                    self.solver.insert(self.register(register), Target::SHARED);
                }
            }
            // Text can be read back.
            KernelOp::Format => {
                let buffer = self.moved(arguments[0], ANYWHERE);
                let values = self.listed(arguments[3]);
                self.store(buffer, values);
            }
            _ => {}
        }
    }

    /// The variadic arguments of a list, at any offset. In ILP32 the list is their address, in LP64 it contains it.
    fn listed(&mut self, list: Operand) -> Option<Node> {
        let list = self.moved(list, ANYWHERE)?;
        let blocks = match self.program.data_model.pointer_bytes() {
            4 => list,
            _ => self.read_anywhere(list),
        };
        Some(self.read_anywhere(blocks))
    }

    fn read_anywhere(&mut self, address: Node) -> Node {
        let (content, anywhere) = (self.solver.node(), self.solver.node());
        self.solver.load(address, 1, content);
        self.solver.edge(content, anywhere, ANYWHERE);
        anywhere
    }
}
