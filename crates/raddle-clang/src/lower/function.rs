//! One function: registers, blocks, phi nodes, and the table of what its values became.

use raddle_ir as ir;
use rustc_hash::{FxHashMap, FxHashSet};

use super::constants::{Computation, ComputedOp, Scalar};
use super::promote::{Survey, survey};
use super::scalars::Part;
use super::{Linker, Origin, Target};
use crate::compile::atomic_functions::{BEGIN, is_atomic_function};
use crate::llvm::Module;
use crate::llvm::ast::{self, BlockId, LocalId, MetaId, Op, TypeId, Value};

/// Why an instruction has no counterpart; becomes the reason of an unsupported instruction.
pub(crate) type Lowered<T> = Result<T, String>;

pub(crate) struct Lowering<'l, 'a> {
    pub linker: &'l mut Linker<'a>,
    pub unit: usize,
    pub module: &'a Module,
    pub function: &'a ast::Function,
    pub out: ir::Function,
    constants: FxHashMap<ir::Constant, ir::ConstantId>,
    /// The parts of each value that has been defined or mentioned.
    values: Vec<Option<Vec<ir::Operand>>>,
    /// Code of each block; first one for each block of the module, then those on edges.
    pub blocks: Vec<Vec<(ir::Inst, ir::Place)>>,
    pub current: usize,
    pub place: ir::Place,
    pub survey: Survey,
    /// Registers of promoted variables.
    variables: FxHashMap<LocalId, Vec<ir::Register>>,
    /// The same registers: written more than once, so never shared as the value of something else.
    mutable: FxHashSet<ir::Register>,
    /// The block and position being lowered.
    pub at: (BlockId, u32),
    /// The user's atomic function: a section around the body.
    pub atomic: bool,
}

impl Linker<'_> {
    /// Name, parameters and results of a function, without its code.
    pub fn function_face(&mut self, unit: usize, index: u32) -> ir::Function {
        let module = self.module(unit);
        let function = &module.functions[index as usize];
        let mut out = ir::Function {
            name: module.text(function.name).to_string(),
            variadic: function.varargs,
            library: self.units[unit].is_library(),
            added: self.units[unit].origin == Origin::UserModel,
            declarations: self.declarations.get(&(unit, function.name)).cloned().unwrap_or_default(),
            place: self.subprogram_place(unit, function.dbg),
            ..Default::default()
        };
        out.results = self.flatten(unit, function.returns).map_or(0, |parts| parts.len() as u32);
        for parameter in function.parameters.iter() {
            for part in self.flatten(unit, parameter.ty).map(|p| p.to_vec()).unwrap_or_default() {
                let register = ir::Register::new(out.registers.len());
                out.registers.push(ir::RegisterInfo { ty: part.ty, local: None });
                out.parameters.push(register);
            }
        }
        out
    }
}

/// Whether the boundaries of the atomic function were marked before the optimiser.
fn has_marked_boundaries(module: &Module, function: &ast::Function) -> bool {
    let marks = |inst: &ast::Instruction| match &inst.op {
        Op::Call(call) => {
            matches!(call.callee, ast::Callee::Value(Value::Global(name)) if module.text(name) == BEGIN)
        }
        _ => false,
    };
    function.blocks.iter().any(|block| block.instructions.iter().any(marks))
}

pub(crate) fn lower(linker: &mut Linker, unit: usize, index: u32) -> ir::Function {
    let module = linker.module(unit);
    let function = &module.functions[index as usize];
    let out = linker.function_face(unit, index);
    let atomic = is_atomic_function(&out.name) && !out.library && !has_marked_boundaries(module, function);
    let place = out.place;
    let mut lowering = Lowering {
        survey: survey(module, function),
        unit,
        module,
        function,
        out,
        constants: FxHashMap::default(),
        values: vec![None; function.locals.len()],
        blocks: vec![Vec::new(); function.blocks.len()],
        current: 0,
        place,
        variables: FxHashMap::default(),
        mutable: FxHashSet::default(),
        at: (BlockId(0), 0),
        atomic,
        linker,
    };
    lowering.parameters();
    lowering.variables();
    for (index, block) in function.blocks.iter().enumerate() {
        lowering.current = index;
        if index == 0 {
            lowering.prologue();
        }
        for (position, inst) in block.instructions.iter().enumerate() {
            lowering.at = (BlockId(index as u32), position as u32);
            lowering.instruction(inst);
        }
        lowering.close_block();
    }
    lowering.finish()
}

impl Lowering<'_, '_> {
    fn parameters(&mut self) {
        let mut registers = self.out.parameters.clone().into_iter();
        for (index, parameter) in self.function.parameters.iter().enumerate() {
            let parts = self.linker.flatten(self.unit, parameter.ty).map_or(0, |p| p.len());
            let operands: Vec<ir::Operand> = registers.by_ref().take(parts).map(ir::Operand::from).collect();
            if let Some(slot) = self.values.get_mut(index) {
                *slot = Some(operands);
            }
        }
    }

    /// A register for each variable that is never in memory. A parameter's variable is its register itself.
    fn variables(&mut self) {
        let mut from_parameter: FxHashMap<LocalId, LocalId> = FxHashMap::default();
        if let Some(entry) = self.function.blocks.first() {
            for inst in &entry.instructions {
                if let Op::Store { value, address, .. } = &inst.op
                    && let (Value::Local(source), Value::Local(variable)) = (value.value, address.value)
                    && (source.0 as usize) < self.function.parameters.len()
                    && self.survey.promoted.contains_key(&variable)
                    && self.survey.uses[source.0 as usize].count == 1
                {
                    from_parameter.insert(variable, source);
                }
            }
        }
        let mut promoted: Vec<(LocalId, TypeId)> =
            self.survey.promoted.iter().map(|(a, b)| (*a, *b)).collect();
        promoted.sort();
        for (variable, ty) in promoted {
            let Ok(parts) = self.parts_of(ty) else {
                // Kept in memory; its accesses will be refused one by one.
                self.survey.promoted.remove(&variable);
                continue;
            };
            let registers: Vec<ir::Register> =
                match from_parameter.get(&variable).and_then(|p| self.values[p.0 as usize].clone()) {
                    Some(operands) => operands.iter().filter_map(|o| o.as_register()).collect(),
                    None => parts.iter().map(|part| self.register(part.ty)).collect(),
                };
            self.mutable.extend(registers.iter().copied());
            self.variables.insert(variable, registers);
        }
    }

    /// Copies of aggregates passed by value, and the atomic section of an atomic function.
    fn prologue(&mut self) {
        if self.atomic {
            self.kernel(ir::KernelOp::AtomicBegin, None, &[]);
        }
        for (index, parameter) in self.function.parameters.iter().enumerate() {
            let Some(ty) = parameter.attributes.byval else { continue };
            let Some(size) = self.linker.layouts[self.unit].size(ty) else { continue };
            if !self.module.types.is_pointer(parameter.ty) {
                continue;
            }
            let Some(&[source]) = self.values[index].as_deref() else { continue };
            let destination = self.register(ir::RegisterType::Pointer);
            let size_operand = self.bits(size);
            self.emit(ir::Inst::Alloca { destination, size: size_operand, align_log2: 4 });
            self.emit(ir::Inst::MemoryCopy {
                destination: destination.into(),
                source,
                length: size_operand,
                overlapping: false,
                visible: true,
            });
            self.values[index] = Some(vec![destination.into()]);
        }
    }

    pub fn variable(&self, id: LocalId) -> Option<&[ir::Register]> {
        self.variables.get(&id).map(|r| r.as_slice())
    }

    pub fn is_variable(&self, register: ir::Register) -> bool {
        self.mutable.contains(&register)
    }

    pub fn register(&mut self, ty: ir::RegisterType) -> ir::Register {
        let register = ir::Register::new(self.out.registers.len());
        self.out.registers.push(ir::RegisterInfo { ty, local: None });
        register
    }

    /// Consecutive registers for the parts of a type.
    pub fn new_registers(&mut self, ty: TypeId) -> Lowered<Vec<ir::Register>> {
        let parts = self.parts_of(ty)?;
        Ok(parts.iter().map(|p| self.register(p.ty)).collect())
    }

    pub fn parts_of(&mut self, ty: TypeId) -> Lowered<std::rc::Rc<[Part]>> {
        self.linker.flatten(self.unit, ty).map_err(|e| e.to_string())
    }

    pub fn constant(&mut self, constant: ir::Constant) -> ir::Operand {
        let table = &mut self.out.constants;
        let id = *self.constants.entry(constant.clone()).or_insert_with(|| {
            table.push(constant);
            ir::ConstantId::new(table.len() - 1)
        });
        ir::Operand::constant(id)
    }

    pub fn bits(&mut self, bits: u64) -> ir::Operand {
        self.constant(ir::Constant::Bits(bits))
    }

    pub fn emit(&mut self, inst: ir::Inst) {
        let place = self.place;
        self.blocks[self.current].push((inst, place));
    }

    pub fn kernel(&mut self, op: ir::KernelOp, destination: Option<ir::Register>, arguments: &[ir::Operand]) {
        self.emit(ir::Inst::Kernel { op, destination, arguments: arguments.into() });
    }

    pub fn unsupported(&mut self, reason: &str) {
        self.emit(ir::Inst::Unsupported { reason: reason.into() });
    }

    /// The parts of a value.
    pub fn value(&mut self, value: Value) -> Lowered<Vec<ir::Operand>> {
        match value {
            Value::Local(id) => {
                if let Some(Some(parts)) = self.values.get(id.0 as usize) {
                    return Ok(parts.clone());
                }
                // Mentioned before its definition: the definition will write these registers.
                let ty = self.function.locals.get(id.0 as usize).ok_or("a value of no name")?.ty;
                let registers = self.new_registers(ty)?;
                let parts: Vec<ir::Operand> = registers.into_iter().map(ir::Operand::from).collect();
                self.values[id.0 as usize] = Some(parts.clone());
                Ok(parts)
            }
            Value::Global(symbol) => {
                let scalar = self.linker.symbol_scalar(self.unit, symbol);
                Ok(vec![self.scalar(&scalar)])
            }
            Value::Const(id) => {
                let scalars = self.linker.scalars(self.unit, id)?;
                Ok(scalars.iter().map(|s| self.scalar(s)).collect())
            }
            Value::Metadata(_) => Err("metadata as a value".into()),
        }
    }

    /// A value of exactly one part.
    pub fn single(&mut self, value: Value) -> Lowered<ir::Operand> {
        match self.value(value)?.as_slice() {
            [only] => Ok(*only),
            parts => Err(format!("a value of {} parts where one is needed", parts.len())),
        }
    }

    pub fn scalar(&mut self, scalar: &Scalar) -> ir::Operand {
        match scalar {
            Scalar::Bits(bits) => self.bits(*bits),
            Scalar::Undefined => self.constant(ir::Constant::Undefined),
            Scalar::Address(Target::Global(g, base), offset, converted) => {
                let operand = self.constant(ir::Constant::Global(*g, base.wrapping_add(*offset)));
                if *converted { self.pointer_to_int(operand) } else { operand }
            }
            Scalar::Address(Target::Function(f), offset, converted) => {
                let operand = self.constant(ir::Constant::Function(*f));
                // A mark in the lower bits.
                let operand = if *offset == 0 { operand } else { self.offset(operand, *offset) };
                if *converted { self.pointer_to_int(operand) } else { operand }
            }
            Scalar::Block(_, block) => self.constant(ir::Constant::Block(*block)),
            Scalar::ThreadLocal(global, offset) => {
                let destination = self.register(ir::RegisterType::Pointer);
                self.emit(ir::Inst::ThreadLocal { destination, global: *global, offset: *offset });
                destination.into()
            }
            Scalar::Computed(computation) => self.computed(computation),
        }
    }

    /// An operation of a constant expression, at each place where the constant is used.
    fn computed(&mut self, computation: &Computation) -> ir::Operand {
        let a = self.scalar(&computation.a);
        match computation.op {
            ComputedOp::Binary(op, bits) => {
                let b = self.scalar(&computation.b);
                let destination = self.register(ir::RegisterType::Int(bits));
                self.emit(ir::Inst::Binary { op, bits, signed_wrap: false, destination, a, b });
                destination.into()
            }
            ComputedOp::Compare(op, bits, pointers) => {
                let b = self.scalar(&computation.b);
                let destination = self.register(ir::RegisterType::Int(1));
                self.emit(ir::Inst::Compare { op, bits, pointers, destination, a, b });
                destination.into()
            }
            ComputedOp::Cast(op, from, to) => {
                let ty = match op {
                    ir::CastOp::IntToPointer => ir::RegisterType::Pointer,
                    _ => ir::RegisterType::Int(to),
                };
                let destination = self.register(ty);
                self.emit(ir::Inst::Cast { op, from, to, destination, source: a });
                destination.into()
            }
        }
    }

    fn pointer_to_int(&mut self, source: ir::Operand) -> ir::Operand {
        let to = self.linker.program.data_model.pointer_bits();
        let destination = self.register(ir::RegisterType::Int(to));
        self.emit(ir::Inst::Cast { op: ir::CastOp::PointerToInt, from: 64, to, destination, source });
        destination.into()
    }

    /// The registers that an instruction's result goes to.
    pub fn destinations(&mut self, result: LocalId) -> Lowered<Vec<ir::Register>> {
        Ok(self.value(Value::Local(result))?.iter().filter_map(|o| o.as_register()).collect())
    }

    pub fn destination(&mut self, result: LocalId) -> Lowered<ir::Register> {
        match self.destinations(result)?.as_slice() {
            [only] => Ok(*only),
            _ => Err("a result of several parts where one is expected".into()),
        }
    }

    /// The result is these operands; no instruction unless the value was mentioned before or an operand is a variable
    /// that may change.
    pub fn define(&mut self, result: Option<LocalId>, parts: Vec<ir::Operand>) {
        let parts = parts
            .into_iter()
            .map(|source| match source.as_register() {
                Some(r) if self.mutable.contains(&r) => {
                    let destination = self.register(self.out.registers[r.index()].ty);
                    self.emit(ir::Inst::Copy { destination, source });
                    destination.into()
                }
                _ => source,
            })
            .collect();
        self.define_shared(result, parts);
    }

    /// The same for operands that are known not to change before the last use.
    pub fn define_shared(&mut self, result: Option<LocalId>, parts: Vec<ir::Operand>) {
        let Some(id) = result else { return };
        match self.values[id.0 as usize].clone() {
            None => self.values[id.0 as usize] = Some(parts),
            Some(earlier) => {
                for (to, source) in earlier.iter().zip(parts) {
                    if let Some(destination) = to.as_register() {
                        self.emit(ir::Inst::Copy { destination, source });
                    }
                }
            }
        }
    }

    /// Makes a copy of mutable operands so that later writes to them do not show.
    pub fn define_copy(&mut self, result: Option<LocalId>, parts: Vec<ir::Operand>) -> Lowered<()> {
        let Some(id) = result else { return Ok(()) };
        let destinations = self.destinations(id)?;
        for (destination, source) in destinations.into_iter().zip(parts) {
            self.emit(ir::Inst::Copy { destination, source });
        }
        Ok(())
    }

    /// Names a variable for reports.
    pub fn name_variable(&mut self, variable: Option<MetaId>, storage: ir::Storage) {
        let Some((name, ty, place)) = variable.and_then(|v| self.linker.local_debug(self.unit, v)) else {
            return;
        };
        let id = ir::LocalId::new(self.out.locals.len());
        if let ir::Storage::Register(r) = storage {
            let info = &mut self.out.registers[r.index()];
            if info.local.is_some() {
                return;
            }
            info.local = Some(id);
        }
        self.out.locals.push(ir::Local { name, ty, place, storage });
    }

    /// Ends a block that the module left without terminator.
    fn close_block(&mut self) {
        let ended = self.blocks[self.current].last().is_some_and(|(inst, _)| inst.is_terminator());
        if !ended {
            self.emit(ir::Inst::Unreachable);
        }
    }

    /// The block to jump to in order to enter `to` from the block being lowered: `to` itself, or a new one with the
    /// copies that its phi nodes need.
    pub fn edge(&mut self, to: BlockId) -> ir::BlockId {
        let copies = self.phi_copies(to);
        if copies.is_empty() {
            return ir::BlockId(to.0);
        }
        let id = self.blocks.len();
        self.blocks.push(Vec::new());
        let back = std::mem::replace(&mut self.current, id);
        self.parallel_copies(copies);
        self.emit(ir::Inst::Jump { target: ir::BlockId(to.0) });
        self.current = back;
        ir::BlockId::new(id)
    }

    /// The same where the block has one successor: the copies come before the jump.
    pub fn straight_edge(&mut self, to: BlockId) -> ir::BlockId {
        let copies = self.phi_copies(to);
        self.parallel_copies(copies);
        ir::BlockId(to.0)
    }

    fn phi_copies(&mut self, to: BlockId) -> Vec<(ir::Register, ir::Operand)> {
        let from = self.at.0;
        let Some(block) = self.function.blocks.get(to.0 as usize) else { return Vec::new() };
        let mut copies = Vec::new();
        for inst in &block.instructions {
            let (Op::Phi { incoming, .. }, Some(result)) = (&inst.op, inst.result) else { break };
            let Some((value, _)) = incoming.iter().find(|(_, block)| *block == from) else { continue };
            let (Ok(destinations), Ok(sources)) = (self.destinations(result), self.value(*value)) else {
                continue;
            };
            copies.extend(destinations.into_iter().zip(sources));
        }
        copies
    }

    /// All at once: through temporaries when one copy writes what a later one reads.
    fn parallel_copies(&mut self, copies: Vec<(ir::Register, ir::Operand)>) {
        let clash = copies.iter().enumerate().any(|(i, (destination, _))| {
            copies[i + 1..].iter().any(|(_, source)| source.as_register() == Some(*destination))
        });
        if !clash {
            for (destination, source) in copies {
                if source.as_register() != Some(destination) {
                    self.emit(ir::Inst::Copy { destination, source });
                }
            }
            return;
        }
        let mut late = Vec::new();
        for (destination, source) in copies {
            let ty = self.out.registers[destination.index()].ty;
            let temporary = self.register(ty);
            self.emit(ir::Inst::Copy { destination: temporary, source });
            late.push((destination, temporary));
        }
        for (destination, temporary) in late {
            self.emit(ir::Inst::Copy { destination, source: temporary.into() });
        }
    }

    /// Joins the blocks.
    fn finish(mut self) -> ir::Function {
        for block in std::mem::take(&mut self.blocks) {
            let start = self.out.code.len() as u32;
            for (inst, place) in block {
                self.out.code.push(inst);
                self.out.places.push(place);
            }
            self.out.blocks.push(ir::Block { start, end: self.out.code.len() as u32 });
        }
        self.out
    }
}
