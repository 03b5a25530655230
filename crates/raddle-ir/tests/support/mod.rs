//! Random valid programs, without regard to sense: every instruction variant, odd names, tables in odd orders.

use raddle_ir::*;

/// SplitMix64 (Steele, Lea and Flood 2014): small, seeded, good enough for tests.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }
    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())].clone()
    }
    /// Small, large and special numbers of so many bits.
    fn number(&mut self, bits: u8) -> u64 {
        let mask = u64::MAX >> (64 - bits as u32);
        let value = match self.below(5) {
            0 => self.below(10),
            1 => self.below(10).wrapping_neg(),
            2 => (1.5 * self.below(100) as f64).to_bits(),
            3 => (0.25 * self.below(100) as f32).to_bits() as u64,
            _ => self.next(),
        };
        value & mask
    }
    fn name(&mut self) -> String {
        let names = [
            "x",
            "counter",
            "bb1",
            "g1",
            "fn1",
            "r1",
            "",
            "odd name",
            "quo\"te\\",
            "line\nend\u{1}",
            "é",
            ".str.1",
            "...",
            "1st",
            "$a",
            "function",
            "global",
            "undef",
        ];
        self.pick(&names).to_string()
    }
}

pub fn random_program(random: &mut Random) -> Program {
    let data_model = random.pick(&[DataModel::Lp64, DataModel::Ilp32]);
    let functions = 1 + random.index(4);
    let globals = 1 + random.index(5);
    let files = (0..random.index(4))
        .map(|_| random.pick(&["a.c", "b.h", "12", "C:\\x.c", "a b", "", "#1", "é"]).to_string())
        .collect::<Vec<_>>();
    let mut program = Program {
        data_model,
        functions: Vec::new(),
        globals: Vec::new(),
        ctypes: random_ctypes(random),
        files,
        entry: FunctionId(0),
        main_tcb: random.flag().then_some(GlobalId(0)),
    };
    // Signatures and numbers of blocks come first: calls and addresses of blocks need them.
    for index in 0..functions {
        let mut function = Function { name: random.name(), ..Function::default() };
        function.results = random.below(3) as u32;
        function.library = random.flag();
        function.place = place(random, &program);
        register_tables(random, &program, &mut function);
        if index > 0 {
            let mut registers: Vec<u32> = (0..function.registers.len() as u32).collect();
            for _ in 0..random.index(4) {
                let register = registers.swap_remove(random.index(registers.len()));
                function.parameters.push(Register(register));
            }
            function.variadic = random.flag();
        }
        let blocks = if index == 0 { 1 + random.index(3) } else { random.index(4) };
        function.blocks = vec![Block { start: 0, end: 0 }; blocks];
        program.functions.push(function);
    }
    for _ in 0..globals {
        let global = random_global(random, &program, globals);
        program.globals.push(global);
    }
    for index in 0..functions {
        let mut body = BodyMaker { function: program.functions[index].clone(), random, program: &program };
        body.code();
        let mut function = body.function;
        if random.flag() {
            function.canonicalise_constants();
        }
        program.functions[index] = function;
    }
    program
}

fn place(random: &mut Random, program: &Program) -> Place {
    match random.below(3) {
        0 => Place::default(),
        _ => Place {
            file: FileId(random.index(program.files.len().max(1)) as u32),
            line: random.below(5) as u32,
            column: random.below(100) as u32,
        },
    }
}

fn random_ctypes(random: &mut Random) -> Vec<CType> {
    let count = 1 + random.index(8);
    let mut types = vec![CType::Void];
    for index in 1..count {
        let below = CTypeId(random.index(index) as u32);
        let anywhere = CTypeId(random.index(count) as u32);
        let name = random.name();
        let size = random.below(9) as u32;
        let members = (0..random.index(3))
            .map(|_| Member {
                name: random.name(),
                bit_offset: random.below(99),
                bit_width: random.flag().then_some(3),
                ty: below,
            })
            .collect();
        types.push(match random.below(12) {
            0 => CType::Integer {
                name,
                size,
                signed: random.flag(),
                boolean: random.flag(),
                character: random.flag(),
            },
            1 => CType::Float { name, size },
            2 => CType::Pointer(anywhere),
            3 => CType::Array { element: below, count: random.flag().then_some(7) },
            4 => CType::Struct { name, size: 8, members },
            5 => CType::Union { name, size: u64::MAX, members },
            6 => CType::Enum { name, size, values: vec![(random.name(), i64::MIN), (random.name(), 4)] },
            7 => CType::Typedef { name, target: below },
            8 => CType::Qualified { word: name, target: below },
            9 => CType::Function,
            10 => CType::Opaque { name, size: 3 },
            _ => CType::Void,
        });
    }
    types
}

fn random_global(random: &mut Random, program: &Program, globals: usize) -> Global {
    let size = random.pick(&[0, 1, 2, 4, 8, 16, 100]);
    let pointer = program.data_model.pointer_bytes() as u64;
    let mut initializer = Initializer::default();
    let external = random.below(5) == 0;
    if !external {
        let length = random.pick(&[0, size / 2, size]);
        initializer.bytes = (0..length).map(|_| random.next() as u8).collect();
        let mut offset = random.below(3);
        while offset + pointer <= size && random.flag() {
            let function = FunctionId(random.index(program.functions.len()) as u32);
            let blocks = program.function(function).blocks.len();
            let target = match random.below(3) {
                0 => SymbolTarget::Function(function),
                1 if blocks > 0 => SymbolTarget::Block(function, BlockId(random.index(blocks) as u32)),
                _ => SymbolTarget::Global(GlobalId(random.index(globals) as u32)),
            };
            let addend = random.pick(&[0, 1, -1, i64::MIN, i64::MAX]);
            initializer.relocations.push(Relocation { offset, target, addend });
            offset += pointer + random.below(4);
        }
        if size >= 2 && random.flag() {
            initializer.undefined = vec![(0, 1), (1, size)];
        }
    }
    Global {
        name: random.name(),
        size,
        align: 1 << random.below(6),
        initializer,
        thread_local: random.flag(),
        constant: random.flag(),
        external,
        ty: random.flag().then_some(CTypeId(0)),
        place: place(random, program),
        library: random.flag(),
    }
}

/// Registers of every type, eight of 64 bits in a row among them (from the fourth), and locals.
fn register_tables(random: &mut Random, program: &Program, function: &mut Function) {
    use RegisterType::*;
    let mut types = vec![Pointer, Double, Float];
    types.extend([Int(64); 8]);
    types.extend([Int(1), Int(8), Int(32), Int(33), Pointer, Float, Double]);
    let locals = random.index(4);
    for ty in types {
        let local = (locals > 0 && random.below(4) == 0).then(|| LocalId(random.index(locals) as u32));
        function.registers.push(RegisterInfo { ty, local });
    }
    for _ in 0..locals {
        let register = Register(random.index(function.registers.len()) as u32);
        let storage =
            random.pick(&[Storage::Register(register), Storage::Memory(register), Storage::Nowhere]);
        let ty = CTypeId(random.index(program.ctypes.len()) as u32);
        function.locals.push(Local { name: random.name(), ty, place: place(random, program), storage });
    }
}

struct BodyMaker<'a> {
    function: Function,
    random: &'a mut Random,
    program: &'a Program,
}

impl BodyMaker<'_> {
    fn register(&mut self, accept: impl Fn(RegisterType) -> bool) -> Register {
        let fitting: Vec<usize> =
            (0..self.function.registers.len()).filter(|i| accept(self.function.registers[*i].ty)).collect();
        Register(self.random.pick(&fitting) as u32)
    }
    fn any_register(&mut self) -> Register {
        self.register(|_| true)
    }
    /// A register that a `ty` may be written to.
    fn target(&mut self, ty: RegisterType) -> Register {
        self.register(|found| match (found, ty) {
            (RegisterType::Int(has), RegisterType::Int(given)) => has >= given,
            _ => found == ty,
        })
    }
    fn two_targets(&mut self, first: RegisterType, second: RegisterType) -> (Register, Register) {
        loop {
            let (a, b) = (self.target(first), self.target(second));
            if a != b {
                return (a, b);
            }
        }
    }
    fn block(&mut self) -> BlockId {
        BlockId(self.random.index(self.function.blocks.len()) as u32)
    }
    /// An operand that may be read as a `ty`; the constant may be in the table twice.
    fn operand(&mut self, ty: RegisterType) -> Operand {
        let readable = |found| match (found, ty) {
            (RegisterType::Int(has), RegisterType::Int(wanted)) => has <= wanted,
            _ => found == ty,
        };
        if self.random.flag() && self.function.registers.iter().any(|info| readable(info.ty)) {
            return self.register(readable).into();
        }
        let constant = match (ty, self.random.below(6)) {
            (_, 0) => Constant::Undefined,
            (RegisterType::Pointer, 1) => {
                let function = FunctionId(self.random.index(self.program.functions.len()) as u32);
                Constant::Function(function)
            }
            (RegisterType::Pointer, 2) => Constant::Block(self.block()),
            (RegisterType::Pointer | RegisterType::Int(64), 3 | 4) => {
                let global = GlobalId(self.random.index(self.program.globals.len()) as u32);
                Constant::Global(global, self.random.pick(&[0, 4, -4, i64::MIN, i64::MAX]))
            }
            (RegisterType::Int(bits), _) => Constant::Bits(self.random.number(bits)),
            (RegisterType::Float, _) => Constant::Bits(self.random.number(32)),
            _ => Constant::Bits(self.random.number(64)),
        };
        let known = self.function.constants.iter().position(|c| *c == constant);
        if let Some(known) = known.filter(|_| self.random.below(8) != 0) {
            return Operand::constant(ConstantId::new(known));
        }
        self.function.constants.push(constant);
        Operand::constant(ConstantId::new(self.function.constants.len() - 1))
    }
    fn any_operand(&mut self) -> Operand {
        let ty = self.any_type();
        self.operand(ty)
    }
    fn any_type(&mut self) -> RegisterType {
        use RegisterType::*;
        self.random.pick(&[Int(1), Int(8), Int(32), Int(33), Int(64), Float, Double, Pointer])
    }
    fn pointer(&mut self) -> Operand {
        self.operand(RegisterType::Pointer)
    }
    fn operands(&mut self, count: usize) -> Vec<Operand> {
        (0..count).map(|_| self.any_operand()).collect()
    }
    fn width(&mut self, integers: bool) -> Width {
        let width =
            [Width::Int(8), Width::Int(32), Width::Int(33), Width::Pointer, Width::Float, Width::Double];
        self.random.pick(if integers { &width[..3] } else { &width })
    }
    fn access(&mut self, orders: &[MemoryOrder], width: Width) -> Access {
        let natural = width.bytes(self.program.data_model).next_power_of_two().trailing_zeros() as u8;
        Access {
            order: self.random.pick(orders),
            volatile: self.random.flag(),
            align_log2: self.random.pick(&[natural, 0, 2, 32]),
            visible: self.random.flag(),
            guarded: self.random.flag(),
        }
    }

    fn code(&mut self) {
        let blocks = self.function.blocks.len();
        for index in 0..blocks {
            let start = self.function.code.len() as u32;
            for _ in 0..self.random.index(12) {
                let inst = self.instruction();
                self.push(inst);
            }
            let inst = self.terminator();
            self.push(inst);
            let end = self.function.code.len() as u32;
            self.function.blocks[index] = Block { start, end };
        }
    }
    fn push(&mut self, inst: Inst) {
        self.function.code.push(inst);
        let place = place(self.random, self.program);
        self.function.places.push(place);
    }

    fn terminator(&mut self) -> Inst {
        match self.random.below(6) {
            0 => Inst::Jump { target: self.block() },
            1 => Inst::Branch {
                condition: self.operand(RegisterType::Int(1)),
                yes: self.block(),
                no: self.block(),
            },
            2 => {
                let value = self.operand(RegisterType::Int(64));
                let first = self.random.below(2);
                let cases = (first..first + self.random.below(3)).filter(|v| *v < 2);
                let cases = cases.collect::<Vec<_>>().into_iter().map(|v| (v, self.block())).collect();
                Inst::Switch(Box::new(Switch { value, default: self.block(), cases }))
            }
            3 => Inst::IndirectJump {
                address: self.pointer(),
                targets: (0..1 + self.random.below(3)).map(|_| self.block()).collect(),
            },
            4 => Inst::Return { values: self.operands(self.function.results as usize).into() },
            _ => Inst::Unreachable,
        }
    }

    fn instruction(&mut self) -> Inst {
        use MemoryOrder::*;
        use RegisterType::{Int, Pointer};
        let bits = self.random.pick(&[1, 8, 17, 32, 33, 64]);
        let kind = self.random.pick(&[FloatKind::Float, FloatKind::Double]);
        let float = kind.register_type();
        let binary = [BinaryOp::Add, BinaryOp::SDiv, BinaryOp::AShr, BinaryOp::Xor, BinaryOp::SSubSat];
        let compare = [CompareOp::Eq, CompareOp::SLt, CompareOp::UGe];
        match self.random.below(38) {
            0 => {
                let ty = self.any_type();
                Inst::Copy { destination: self.target(ty), source: self.operand(ty) }
            }
            1 => Inst::Binary {
                op: self.random.pick(&binary),
                bits,
                signed_wrap: self.random.flag(),
                destination: self.target(Int(bits)),
                a: self.operand(Int(bits)),
                b: self.operand(Int(bits)),
            },
            2 => {
                let pointers = self.random.flag();
                let (bits, ty) = if pointers { (64, Pointer) } else { (bits, Int(bits)) };
                Inst::Compare {
                    op: self.random.pick(&compare),
                    bits,
                    pointers,
                    destination: self.target(Int(1)),
                    a: self.operand(ty),
                    b: self.operand(ty),
                }
            }
            3 => {
                let (op, from, to) = self.random.pick(&[
                    (CastOp::Truncate, 33, 8),
                    (CastOp::ZeroExtend, 8, 64),
                    (CastOp::SignExtend, 1, 33),
                    (CastOp::PointerToInt, 64, 32),
                    (CastOp::IntToPointer, 32, 64),
                ]);
                let source = if op == CastOp::PointerToInt { Pointer } else { Int(from) };
                let target = if op == CastOp::IntToPointer { Pointer } else { Int(to) };
                Inst::Cast { op, from, to, destination: self.target(target), source: self.operand(source) }
            }
            4 => {
                let ty = self.any_type();
                Inst::Select {
                    destination: self.target(ty),
                    condition: self.operand(Int(1)),
                    yes: self.operand(ty),
                    no: self.operand(ty),
                }
            }
            5 => Inst::PointerAdd {
                bits,
                destination: self.target(Pointer),
                base: self.pointer(),
                index: self.operand(Int(bits)),
                scale: self.random.pick(&[1, 4, -1, i32::MIN]),
                offset: self.random.pick(&[0, 8, -8, i32::MIN, i32::MAX]),
            },
            6 => Inst::FloatBinary {
                op: self.random.pick(&[FloatBinaryOp::Add, FloatBinaryOp::Pow]),
                kind,
                destination: self.target(float),
                a: self.operand(float),
                b: self.operand(float),
            },
            7 => Inst::FloatUnary {
                op: self.random.pick(&[FloatUnaryOp::Negate, FloatUnaryOp::RoundEven]),
                kind,
                destination: self.target(float),
                source: self.operand(float),
            },
            8 => Inst::FloatMultiplyAdd {
                kind,
                fused: self.random.flag(),
                destination: self.target(float),
                a: self.operand(float),
                b: self.operand(float),
                c: self.operand(float),
            },
            9 => Inst::FloatCompare {
                op: FloatCompareOp(self.random.below(16) as u8),
                kind,
                destination: self.target(Int(1)),
                a: self.operand(float),
                b: self.operand(float),
            },
            10 => {
                let op = self.random.pick(&[
                    FloatCastOp::Resize,
                    FloatCastOp::ToSigned,
                    FloatCastOp::FromUnsigned,
                    FloatCastOp::ToUnsignedSaturating,
                ]);
                let bits = if op == FloatCastOp::Resize { self.random.pick(&[0, 64, 255]) } else { bits };
                let (from, to) = op.types(kind, bits);
                Inst::FloatCast { op, kind, bits, destination: self.target(to), source: self.operand(from) }
            }
            11 => {
                let (destination, overflow) = self.two_targets(Int(bits), Int(1));
                Inst::Overflow {
                    op: self.random.pick(&[OverflowOp::SAdd, OverflowOp::UMul]),
                    bits,
                    destination,
                    overflow,
                    a: self.operand(Int(bits)),
                    b: self.operand(Int(bits)),
                }
            }
            12 => Inst::Bits {
                op: self.random.pick(&[BitOp::PopCount, BitOp::FunnelLeft, BitOp::Abs]),
                bits,
                destination: self.target(Int(bits)),
                a: self.operand(Int(bits)),
                b: self.operand(Int(bits)),
                c: self.operand(Int(bits)),
            },
            13 | 14 => self.wide(),
            15 => Inst::Freeze { bits, destination: self.target(Int(bits)), source: self.operand(Int(bits)) },
            16 => {
                let width = self.width(false);
                Inst::Load {
                    width,
                    access: self.access(&[NotAtomic, Unordered, Acquire], width),
                    destination: self.target(width.register_type()),
                    address: self.pointer(),
                }
            }
            17 => {
                let width = self.width(false);
                Inst::Store {
                    width,
                    access: self.access(&[NotAtomic, Relaxed, Release], width),
                    address: self.pointer(),
                    source: self.operand(width.register_type()),
                }
            }
            18 => {
                let op = self.random.pick(&[UpdateOp::Exchange, UpdateOp::Nand, UpdateOp::UDecWrap]);
                let width = self.width(op != UpdateOp::Exchange);
                Inst::Update {
                    op,
                    width,
                    access: self.access(&[Relaxed, AcquireRelease, SequentiallyConsistent], width),
                    destination: self.target(width.register_type()),
                    address: self.pointer(),
                    source: self.operand(width.register_type()),
                }
            }
            19 => {
                let width = self.random.pick(&[Width::Int(8), Width::Pointer]);
                let (old, success) = self.two_targets(width.register_type(), Int(1));
                Inst::CompareExchange {
                    width,
                    access: self.access(&[Relaxed, Acquire, SequentiallyConsistent], width),
                    failure: self.random.pick(&[Relaxed, Acquire, SequentiallyConsistent]),
                    weak: self.random.flag(),
                    old,
                    success,
                    address: self.pointer(),
                    expected: self.operand(width.register_type()),
                    new: self.operand(width.register_type()),
                }
            }
            20 => Inst::Fence { order: self.random.pick(&[Acquire, Release, SequentiallyConsistent]) },
            21 => Inst::Alloca {
                destination: self.target(Pointer),
                size: self.operand(Int(64)),
                align_log2: self.random.pick(&[0, 4, 32]),
            },
            22 => Inst::StackSave { destination: self.any_register() },
            23 => Inst::StackRestore { saved: self.any_operand() },
            24 => Inst::LifetimeStart { address: self.pointer() },
            25 => Inst::LifetimeEnd { address: self.pointer() },
            26 => Inst::MemoryCopy {
                destination: self.pointer(),
                source: self.pointer(),
                length: self.operand(Int(64)),
                overlapping: self.random.flag(),
                visible: self.random.flag(),
            },
            27 => Inst::MemorySet {
                destination: self.pointer(),
                byte: self.operand(Int(8)),
                length: self.operand(Int(64)),
                visible: self.random.flag(),
            },
            28 => Inst::VaStart { list: self.pointer(), visible: self.random.flag() },
            29 => Inst::VaEnd { list: self.pointer() },
            30 => {
                let (destination, source) = (self.pointer(), self.pointer());
                Inst::VaCopy { destination, source, visible: self.random.flag() }
            }
            31 => {
                let (destination, buffer) = (self.target(Int(32)), self.pointer());
                Inst::SetJump { destination, buffer, visible: self.random.flag() }
            }
            32 => {
                let (buffer, value) = (self.pointer(), self.operand(Int(32)));
                Inst::LongJump { buffer, value, visible: self.random.flag() }
            }
            33 | 34 => self.call(),
            35 | 36 => {
                let op = self.random.pick(KernelOp::ALL);
                let destination = (op.has_result() && self.random.flag()).then(|| self.any_register());
                Inst::Kernel { op, destination, arguments: self.operands(op.arguments()).into() }
            }
            _ => Inst::Unsupported { reason: self.random.name().into() },
        }
    }

    /// Of at most 150 bits: three limbs, of the eight registers from r3.
    fn wide(&mut self) -> Inst {
        let bits = self.random.pick(&[65, 128, 150]);
        let kind = self.random.pick(&[FloatKind::Float, FloatKind::Double]);
        let signed = self.random.flag();
        let op = self.random.pick(&[
            WideOp::Binary(BinaryOp::Mul),
            WideOp::Compare(CompareOp::ULt),
            WideOp::ZeroExtend { from: 8 },
            WideOp::SignExtend { from: 64 },
            WideOp::Truncate { to: 33 },
            WideOp::PopCount,
            WideOp::LeadingZeros,
            WideOp::TrailingZeros,
            WideOp::ByteSwap,
            WideOp::FromFloat { kind, signed },
            WideOp::ToFloat { kind, signed },
        ]);
        let mut first = || Register(3 + self.random.below(6) as u32);
        let (mut destination, mut a, b) = (first(), first(), first());
        match op {
            WideOp::FromFloat { .. } => a = self.register(|ty| ty == kind.register_type()),
            WideOp::ToFloat { .. } => destination = self.target(kind.register_type()),
            _ => {}
        }
        Inst::Wide(Box::new(WideInst { op, bits, signed_wrap: self.random.flag(), destination, a, b }))
    }

    fn call(&mut self) -> Inst {
        let id = FunctionId(self.random.index(self.program.functions.len()) as u32);
        let callee = self.program.function(id);
        let direct = self.random.flag();
        let (fixed, variadic) =
            if direct { (callee.parameters.len(), callee.variadic) } else { (self.random.index(3), true) };
        let callee_operand = if direct { Callee::Direct(id) } else { Callee::Indirect(self.pointer()) };
        let mut arguments = self.operands(fixed);
        let mut widths = Vec::new();
        while variadic && self.random.below(3) > 0 {
            let width = self.width(false);
            arguments.push(self.operand(width.register_type()));
            widths.push(width);
        }
        let mut results = Vec::new();
        for _ in 0..self.random.index(1 + callee.results as usize) {
            let register = self.any_register();
            if !results.contains(&register) {
                results.push(register);
            }
        }
        let guarded = self.random.flag();
        Inst::Call(Box::new(Call { callee: callee_operand, arguments, variadic: widths, results, guarded }))
    }
}
