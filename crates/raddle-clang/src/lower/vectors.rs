//! Vectors, as the optimiser makes them: lanes are registers, so most operations are done lane by lane elsewhere; here
//! is what moves between lanes, and casts that reinterpret the same bits.

use raddle_ir as ir;

use super::function::{Lowered, Lowering};
use crate::llvm::ast::{LocalId, Operand, TypeId};

impl Lowering<'_, '_> {
    /// Parts of one element, and the constant index if it is one.
    fn lane(&mut self, vector: &Operand, index: &Operand) -> Lowered<(usize, Option<usize>, ir::Operand)> {
        let element = self.parts_of(self.element_type(vector.ty))?.len();
        let operand = self.single(index.value)?;
        let known = match operand.as_constant().map(|c| self.out.constants[c.index()].clone()) {
            Some(ir::Constant::Bits(n)) => Some(n as usize),
            _ => None,
        };
        Ok((element, known, operand))
    }

    pub fn extract_element(&mut self, result: LocalId, vector: &Operand, index: &Operand) -> Lowered<()> {
        let (size, known, operand) = self.lane(vector, index)?;
        let parts = self.value(vector.value)?;
        if let Some(n) = known {
            let chosen = parts.get(n * size..(n + 1) * size).map(|p| p.to_vec());
            let undefined = self.constant(ir::Constant::Undefined);
            self.define(Some(result), chosen.unwrap_or_else(|| vec![undefined; size]));
            return Ok(());
        }
        // A variable index: compare with each lane's number.
        let bits = self.int_bits(index.ty)? as u8;
        let destinations = self.destinations(result)?;
        for (i, destination) in destinations.iter().enumerate() {
            let source = self.constant(ir::Constant::Undefined);
            self.emit(ir::Inst::Copy { destination: *destination, source });
            for lane in 0..parts.len() / size {
                let hit = self.lane_is(operand, bits, lane);
                let (destination, yes) = (*destination, parts[lane * size + i]);
                self.emit(ir::Inst::Select { destination, condition: hit, yes, no: destination.into() });
            }
        }
        Ok(())
    }

    fn lane_is(&mut self, index: ir::Operand, bits: u8, lane: usize) -> ir::Operand {
        let hit = self.register(ir::RegisterType::Int(1));
        let number = self.bits(lane as u64);
        self.emit(ir::Inst::Compare {
            op: ir::CompareOp::Eq,
            bits,
            pointers: false,
            destination: hit,
            a: index,
            b: number,
        });
        hit.into()
    }

    pub fn insert_element(
        &mut self,
        result: LocalId,
        vector: &Operand,
        element: &Operand,
        index: &Operand,
    ) -> Lowered<()> {
        let (size, known, operand) = self.lane(vector, index)?;
        let mut parts = self.value(vector.value)?;
        let new = self.value(element.value)?;
        if let Some(n) = known {
            if let Some(lane) = parts.get_mut(n * size..(n + 1) * size) {
                lane.copy_from_slice(&new);
            }
            self.define(Some(result), parts);
            return Ok(());
        }
        let bits = self.int_bits(index.ty)? as u8;
        let destinations = self.destinations(result)?;
        for lane in 0..parts.len() / size {
            let condition = self.lane_is(operand, bits, lane);
            for (i, yes) in new.iter().enumerate() {
                let at = lane * size + i;
                let (destination, no) = (destinations[at], parts[at]);
                self.emit(ir::Inst::Select { destination, condition, yes: *yes, no });
            }
        }
        Ok(())
    }

    pub fn shuffle(
        &mut self,
        result: LocalId,
        left: &Operand,
        right: &Operand,
        mask: &[Option<u32>],
    ) -> Lowered<()> {
        let size = self.parts_of(self.element_type(left.ty))?.len();
        let mut all = self.value(left.value)?;
        all.extend(self.value(right.value)?);
        let undefined = self.constant(ir::Constant::Undefined);
        let mut parts = Vec::new();
        for lane in mask {
            match lane.and_then(|n| all.get(n as usize * size..(n as usize + 1) * size)) {
                Some(chosen) => parts.extend_from_slice(chosen),
                None => parts.extend(std::iter::repeat_n(undefined, size)),
            }
        }
        self.define(Some(result), parts);
        Ok(())
    }

    /// The same bits as another type: parts are joined to a string of bits and cut anew.
    pub fn bit_cast(
        &mut self,
        result: LocalId,
        from: &Operand,
        to: TypeId,
        sources: Vec<ir::Operand>,
    ) -> Lowered<()> {
        let (old, new) = (self.parts_of(from.ty)?, self.parts_of(to)?);
        if old.iter().map(|p| p.ty).eq(new.iter().map(|p| p.ty)) {
            self.define(Some(result), sources);
            return Ok(());
        }
        let destinations = self.destinations(result)?;
        let widths =
            |parts: &[super::scalars::Part]| parts.iter().map(|p| self.part_bits(p.ty)).collect::<Vec<u32>>();
        let (old_bits, new_bits) = (widths(&old), widths(&new));
        if old_bits.iter().sum::<u32>() != new_bits.iter().sum::<u32>() {
            return Err("a cast between types of different sizes".into());
        }
        let mut position = 0;
        for (i, destination) in destinations.into_iter().enumerate() {
            let width = new_bits[i];
            // Pieces of old parts that overlap this one.
            let mut start = 0;
            let mut value: Option<ir::Operand> = None;
            for (j, source) in sources.iter().enumerate() {
                let end = start + old_bits[j];
                let (low, high) = (position.max(start), (position + width).min(end));
                if low < high {
                    let piece =
                        self.piece(*source, old[j].ty, low - start, high - low, low - position, width)?;
                    value = Some(match value {
                        None => piece,
                        Some(so_far) => self.join(so_far, piece),
                    });
                }
                start = end;
            }
            let value = value.ok_or("a cast of nothing")?;
            let value = self.narrowed(value, width as u8);
            match new[i].ty {
                ir::RegisterType::Pointer => {
                    let from = width as u8;
                    let op = ir::CastOp::IntToPointer;
                    self.emit(ir::Inst::Cast { op, from, to: 64, destination, source: value });
                }
                // Floats are their bits.
                _ => self.emit(ir::Inst::Copy { destination, source: value }),
            }
            position += width;
        }
        Ok(())
    }

    fn part_bits(&self, ty: ir::RegisterType) -> u32 {
        match ty {
            ir::RegisterType::Int(bits) => bits as u32,
            ir::RegisterType::Float => 32,
            ir::RegisterType::Double => 64,
            ir::RegisterType::Pointer => self.linker.program.data_model.pointer_bits() as u32,
        }
    }

    /// `length` bits of a part from `from` on, moved to bit `to` of a value of `width` bits.
    fn piece(
        &mut self,
        source: ir::Operand,
        ty: ir::RegisterType,
        from: u32,
        length: u32,
        to: u32,
        width: u32,
    ) -> Lowered<ir::Operand> {
        let bits = self.part_bits(ty);
        let mut value = source;
        if ty == ir::RegisterType::Pointer {
            let destination = self.register(ir::RegisterType::Int(bits as u8));
            let op = ir::CastOp::PointerToInt;
            self.emit(ir::Inst::Cast { op, from: 64, to: bits as u8, destination, source: value });
            value = destination.into();
        } else if !matches!(ty, ir::RegisterType::Int(_)) {
            // Floats are their bits.
            let destination = self.register(ir::RegisterType::Int(bits as u8));
            self.emit(ir::Inst::Copy { destination, source: value });
            value = destination.into();
        }
        let mut step = |this: &mut Self, op, amount: u64| {
            let destination = this.register(ir::RegisterType::Int(64));
            let b = this.bits(amount);
            this.emit(ir::Inst::Binary { op, bits: 64, signed_wrap: false, destination, a: value, b });
            value = destination.into();
        };
        if from > 0 {
            step(self, ir::BinaryOp::LShr, from as u64);
        }
        if length < bits - from {
            step(self, ir::BinaryOp::And, (1u64 << length) - 1);
        }
        if to > 0 {
            step(self, ir::BinaryOp::Shl, to as u64);
        }
        if width > 64 {
            return Err("a part of more than 64 bits".into());
        }
        Ok(value)
    }

    /// A value that fits `width` bits, in a register no wider than that.
    fn narrowed(&mut self, value: ir::Operand, width: u8) -> ir::Operand {
        match value.as_register().map(|r| self.out.registers[r.index()].ty) {
            Some(ir::RegisterType::Int(bits)) if bits > width => {
                let destination = self.register(ir::RegisterType::Int(width));
                let op = ir::CastOp::Truncate;
                self.emit(ir::Inst::Cast { op, from: bits, to: width, destination, source: value });
                destination.into()
            }
            _ => value,
        }
    }

    fn join(&mut self, a: ir::Operand, b: ir::Operand) -> ir::Operand {
        let destination = self.register(ir::RegisterType::Int(64));
        self.emit(ir::Inst::Binary { op: ir::BinaryOp::Or, bits: 64, signed_wrap: false, destination, a, b });
        destination.into()
    }
}
