//! Variables and memory: stack objects, loads, stores, address computations.

use raddle_ir as ir;

use super::atomics::{self, PLAIN};
use super::function::{Lowered, Lowering};
use super::instructions::access;
use super::scalars::width_of;
use crate::llvm::ast::{Access, LocalId, Operand, Ordering, Type, TypeId, Value};

impl Lowering<'_, '_> {
    pub fn alloca(
        &mut self,
        result: LocalId,
        ty: TypeId,
        count: Option<&Operand>,
        align: Option<u32>,
    ) -> Lowered<()> {
        if self.variable(result).is_some() {
            return Ok(());
        }
        let element = self.linker.layouts[self.unit].size(ty).ok_or("a variable of a type without size")?;
        let mut size = self.bits(element);
        if let Some(count) = count {
            let bits = self.int_bits(count.ty)?;
            let number = self.single(count.value)?;
            let wide = if bits < 64 {
                let wide = self.register(ir::RegisterType::Int(64));
                let op = ir::CastOp::ZeroExtend;
                self.emit(ir::Inst::Cast { op, from: bits as u8, to: 64, destination: wide, source: number });
                wide.into()
            } else {
                number
            };
            let product = self.register(ir::RegisterType::Int(64));
            self.emit(ir::Inst::Binary {
                op: ir::BinaryOp::Mul,
                bits: 64,
                signed_wrap: false,
                destination: product,
                a: wide,
                b: size,
            });
            size = product.into();
        }
        let destination = self.destination(result)?;
        let align_log2 = align.map_or(4, |a| a.max(1).ilog2() as u8);
        self.emit(ir::Inst::Alloca { destination, size, align_log2 });
        Ok(())
    }

    pub fn load(&mut self, result: LocalId, ty: TypeId, address: &Operand, how: &Access) -> Lowered<()> {
        if let Value::Local(variable) = address.value
            && let Some(registers) = self.variable(variable)
        {
            let parts: Vec<ir::Operand> = registers.iter().map(|r| ir::Operand::register(*r)).collect();
            // The register itself, when it is not written between here and the last use.
            let uses = self.survey.uses[result.0 as usize];
            let (block, position) = self.at;
            let local = !uses.elsewhere && uses.block.is_none_or(|b| b == block);
            let written = self.survey.stores.get(&(variable, block));
            let written = written.is_some_and(|s| s.iter().any(|p| *p > position && *p < uses.last));
            if local && !written && uses.count > 0 {
                self.define_shared(Some(result), parts);
                return Ok(());
            }
            return self.define_copy(Some(result), parts);
        }
        let parts = self.parts_of(ty)?;
        self.refuse_packed_bits(ty)?;
        let address = self.single(address.value)?;
        let destinations = self.destinations(result)?;
        if how.ordering != Ordering::NotAtomic && parts.len() > 1 {
            self.begin_wide_atomic();
            for (part, destination) in parts.iter().zip(destinations) {
                let address = self.offset(address, part.offset as i64);
                self.emit(ir::Inst::Load { width: width_of(part.ty), access: PLAIN, destination, address });
            }
            let (read, order) = (self.bits(atomics::access::READ), self.order_number(how.ordering));
            self.end_wide_atomic(address, &parts, read, order);
            return Ok(());
        }
        for (part, destination) in parts.iter().zip(destinations) {
            let address = self.offset(address, part.offset as i64);
            self.emit(ir::Inst::Load { width: width_of(part.ty), access: access(how), destination, address });
        }
        Ok(())
    }

    pub fn store(&mut self, value: &Operand, address: &Operand, how: &Access) -> Lowered<()> {
        if let Value::Local(variable) = address.value
            && let Some(registers) = self.variable(variable).map(|r| r.to_vec())
        {
            let sources = self.value(value.value)?;
            for (destination, source) in registers.into_iter().zip(sources) {
                if source.as_register() == Some(destination) {
                    continue;
                }
                if !self.retarget(value.value, source, destination) {
                    self.emit(ir::Inst::Copy { destination, source });
                }
            }
            return Ok(());
        }
        let parts = self.parts_of(value.ty)?;
        self.refuse_packed_bits(value.ty)?;
        let sources = self.value(value.value)?;
        let address = self.single(address.value)?;
        if how.ordering != Ordering::NotAtomic && parts.len() > 1 {
            self.begin_wide_atomic();
            for (part, source) in parts.iter().zip(sources) {
                let address = self.offset(address, part.offset as i64);
                self.emit(ir::Inst::Store { width: width_of(part.ty), access: PLAIN, address, source });
            }
            let (write, order) = (self.bits(atomics::access::WRITE), self.order_number(how.ordering));
            self.end_wide_atomic(address, &parts, write, order);
            return Ok(());
        }
        for (part, source) in parts.iter().zip(sources) {
            let address = self.offset(address, part.offset as i64);
            self.emit(ir::Inst::Store { width: width_of(part.ty), access: access(how), address, source });
        }
        Ok(())
    }

    /// Vectors of odd integers lie bit by bit in memory.
    fn refuse_packed_bits(&self, ty: TypeId) -> Lowered<()> {
        if let Type::Vector { element, .. } = self.module.types.get(ty)
            && let Type::Int(width) = self.module.types.get(*element)
            && width % 8 != 0
        {
            return Err(format!("vectors of {width}-bit integers in memory"));
        }
        Ok(())
    }

    /// If the value was computed by the last instruction and is used nowhere else, it is computed into the variable's
    /// register directly.
    fn retarget(&mut self, value: Value, source: ir::Operand, variable: ir::Register) -> bool {
        let (Value::Local(id), Some(register)) = (value, source.as_register()) else { return false };
        // A variable's own register holds more than this value.
        if self.survey.uses[id.0 as usize].count != 1 || self.is_variable(register) {
            return false;
        }
        let same = self.out.registers[register.index()].ty == self.out.registers[variable.index()].ty;
        let Some((last, _)) = self.blocks[self.current].last_mut() else { return false };
        let destination = match last {
            ir::Inst::Copy { destination, .. }
            | ir::Inst::Binary { destination, .. }
            | ir::Inst::Compare { destination, .. }
            | ir::Inst::Cast { destination, .. }
            | ir::Inst::Select { destination, .. }
            | ir::Inst::PointerAdd { destination, .. }
            | ir::Inst::FloatBinary { destination, .. }
            | ir::Inst::FloatUnary { destination, .. }
            | ir::Inst::FloatCast { destination, .. }
            | ir::Inst::Load { destination, .. } => destination,
            _ => return false,
        };
        if !same || *destination != register || self.out.registers[register.index()].local.is_some() {
            return false;
        }
        *destination = variable;
        true
    }

    /// The address some bytes further.
    pub fn offset(&mut self, address: ir::Operand, bytes: i64) -> ir::Operand {
        if bytes == 0 {
            return address;
        }
        if let Some(constant) = address.as_constant()
            && let ir::Constant::Global(g, base) = self.out.constants[constant.index()]
        {
            return self.constant(ir::Constant::Global(g, base.wrapping_add(bytes)));
        }
        let destination = self.register(ir::RegisterType::Pointer);
        let (index, scale, offset) = match i32::try_from(bytes) {
            Ok(offset) => (self.bits(0), 0, offset),
            Err(_) => (self.bits(bytes as u64), 1, 0),
        };
        self.emit(ir::Inst::PointerAdd { bits: 64, destination, base: address, index, scale, offset });
        destination.into()
    }

    /// An address computation: constants are added up, each variable index is one instruction.
    pub fn address(
        &mut self,
        result: Option<LocalId>,
        element: TypeId,
        base: &Operand,
        indices: &[Operand],
    ) -> Lowered<()> {
        if matches!(self.module.types.get(base.ty), Type::Vector { .. }) {
            return Err("vectors of addresses".into());
        }
        let mut address = self.single(base.value)?;
        let mut constant = 0i64;
        let mut ty = element;
        let mut variable: Vec<(ir::Operand, u8, i64)> = Vec::new();
        for (i, index) in indices.iter().enumerate() {
            let bits = self.int_bits(index.ty)?.min(64);
            let operand = self.single(index.value)?;
            let known = match operand.as_constant().map(|c| self.out.constants[c.index()].clone()) {
                Some(ir::Constant::Bits(n)) => Some(super::constants::sign(n, bits)),
                _ => None,
            };
            match known {
                Some(n) => {
                    let (step, next) = self.linker.index_step(self.unit, ty, i == 0, n)?;
                    constant = constant.wrapping_add(step);
                    ty = next;
                }
                None => {
                    let (scale, next) = self.linker.index_step(self.unit, ty, i == 0, 1)?;
                    variable.push((operand, bits as u8, scale));
                    ty = next;
                }
            }
        }
        for (index, bits, scale) in variable {
            let destination = self.register(ir::RegisterType::Pointer);
            let scale = i32::try_from(scale).map_err(|_| "an element of more than 2 GiB")?;
            let offset = i32::try_from(constant).unwrap_or(0);
            constant -= offset as i64;
            self.emit(ir::Inst::PointerAdd { bits, destination, base: address, index, scale, offset });
            address = destination.into();
        }
        let address = self.offset(address, constant);
        self.define(result, vec![address]);
        Ok(())
    }
}
