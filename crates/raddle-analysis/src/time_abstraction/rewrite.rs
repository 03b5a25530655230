//! The program without times: readings of clocks are a constant, sums with constants leave a time as it is, and what
//! compares times is a bit of their difference and a choice, which is any bit, and indeterminate where an operand was.

use raddle_ir::{
    BinaryOp, Block, CastOp, Constant, ConstantId, Function, FunctionId, Inst, KernelOp, Operand, Register,
    RegisterInfo, RegisterType,
};

use super::{Analysis, Bound, TimeAbstraction};

pub(super) fn rewrite(analysis: &Analysis) -> TimeAbstraction {
    let mut out = TimeAbstraction { program: analysis.program.clone(), comparisons: 0, may_overflow: false };
    for index in 0..out.program.functions.len() {
        let id = FunctionId::new(index);
        let function = Rewriter { analysis, id, out: &mut out }.function();
        out.program.functions[index] = function;
    }
    out
}

struct Rewriter<'a, 'b> {
    analysis: &'a Analysis<'b>,
    id: FunctionId,
    out: &'a mut TimeAbstraction,
}

impl Rewriter<'_, '_> {
    fn of(&self, operand: Operand) -> Option<Bound> {
        operand.as_register().and_then(|register| self.bound(register))
    }

    fn bound(&self, register: Register) -> Option<Bound> {
        self.analysis.size_in(self.id, register).map(|size| self.analysis.bound(self.id, size))
    }

    fn function(&mut self) -> Function {
        let old = self.analysis.program.function(self.id);
        let mut new = Function { code: Vec::new(), places: Vec::new(), blocks: Vec::new(), ..old.clone() };
        for block in &old.blocks {
            let start = new.code.len() as u32;
            for pc in block.start as usize..block.end as usize {
                let inst = &old.code[pc];
                let before = new.code.len();
                match inst {
                    Inst::Compare { bits, a, b, destination, .. }
                        if self.of(*a).is_some() || self.of(*b).is_some() =>
                    {
                        let difference = Inst::Binary {
                            op: BinaryOp::Xor,
                            bits: *bits,
                            signed_wrap: false,
                            destination: register(&mut new, *bits),
                            a: *a,
                            b: *b,
                        };
                        new.code.push(difference);
                        self.determinate_if_whole(&mut new, *bits);
                        self.or_not(&mut new, *destination);
                    }
                    Inst::FloatCompare { a, b, destination, .. }
                        if self.of(*a).is_some() || self.of(*b).is_some() =>
                    {
                        let mut compare = inst.clone();
                        if let Inst::FloatCompare { destination, .. } = &mut compare {
                            *destination = register(&mut new, 1);
                        }
                        new.code.push(compare);
                        self.or_not(&mut new, *destination);
                    }
                    Inst::Binary { op, bits, signed_wrap, destination, a, b }
                        if self.of(*a).is_some() || self.of(*b).is_some() =>
                    {
                        let bound = self.bound(*destination).unwrap_or(0);
                        self.out.may_overflow |= *signed_wrap && bound >= 1 << (bits - 1);
                        let is_constant = |o: &Operand| old.constant_bits(*o).is_some();
                        let kept = match op {
                            BinaryOp::Add | BinaryOp::Sub if is_constant(b) => Some(*a),
                            BinaryOp::Add if is_constant(a) => Some(*b),
                            _ => None,
                        };
                        new.code.push(match kept {
                            Some(source) => Inst::Copy { destination: *destination, source },
                            None => Inst::Binary {
                                op: *op,
                                bits: *bits,
                                signed_wrap: false,
                                destination: *destination,
                                a: *a,
                                b: *b,
                            },
                        });
                    }
                    Inst::Kernel { op: KernelOp::Choose, destination: Some(destination), .. }
                        if self.analysis.clocks[self.id.index()] =>
                    {
                        let source = number(&mut new, 0);
                        new.code.push(Inst::Copy { destination: *destination, source });
                    }
                    _ => new.code.push(inst.clone()),
                }
                let place = old.places.get(pc).copied().unwrap_or_default();
                new.places.extend((before..new.code.len()).map(|_| place));
            }
            new.blocks.push(Block { start, end: new.code.len() as u32 });
        }
        new.canonicalise_constants();
        new
    }

    /// A bit of the last register, indeterminate if any bit of that is: how a comparison depends on indeterminate bits
    /// differs by the values of the others, and times have none here. A product is indeterminate as a whole.
    fn determinate_if_whole(&self, new: &mut Function, bits: u8) {
        let (source, one) = (last(new), number(new, 1));
        let product = Inst::Binary {
            op: BinaryOp::Mul,
            bits,
            signed_wrap: false,
            destination: register(new, bits),
            a: source,
            b: one,
        };
        new.code.push(product);
        if bits > 1 {
            let source = last(new);
            let destination = register(new, 1);
            new.code.push(Inst::Cast { op: CastOp::Truncate, from: bits, to: 1, destination, source });
        }
    }

    /// The last register, or its negation: a choice.
    fn or_not(&mut self, new: &mut Function, destination: Register) {
        self.out.comparisons += 1;
        let (bit, count) = (last(new), number(new, 2));
        let choice = register(new, 1);
        new.code.push(Inst::Kernel {
            op: KernelOp::Choose,
            destination: Some(choice),
            arguments: Box::new([count]),
        });
        new.code.push(Inst::Binary {
            op: BinaryOp::Xor,
            bits: 1,
            signed_wrap: false,
            destination,
            a: bit,
            b: Operand::register(choice),
        });
    }
}

fn register(function: &mut Function, bits: u8) -> Register {
    function.registers.push(RegisterInfo { ty: RegisterType::Int(bits), local: None });
    Register::new(function.registers.len() - 1)
}

/// The register that was made last.
fn last(function: &Function) -> Operand {
    Operand::register(Register::new(function.registers.len() - 1))
}

/// Constants may be repeated until they are made canonical.
fn number(function: &mut Function, value: u64) -> Operand {
    function.constants.push(Constant::Bits(value));
    Operand::constant(ConstantId::new(function.constants.len() - 1))
}
