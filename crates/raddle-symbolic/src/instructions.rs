//! One block of one path, instruction by instruction, from the descriptions in `raddle-semantics`: scalars by `evaluate` over
//! terms, all else by the list of effects.

use raddle_ir::{
    BlockId, CastOp, CompareOp, FunctionId, GlobalId, Inst, MemoryOrder, Operand, OperandKind, Width,
};
use raddle_machine::pointer::{self, MAX_OBJECT};
use raddle_machine::{ObjectId, mask};
use raddle_semantics::{
    self as scalar, Check, Choice, Domain, Effect, Extent, MemoryAccess, MemoryUse, Written, effects,
};
use raddle_solver::Term;

use crate::access::Place;
use crate::domain::Value;
use crate::executor::{Executor, Exit, Initial, ObjectInfo, Path, Run};
use crate::last_step::LastStep;
use crate::pointers::moved;
use crate::state::{Because, State, merge_values};
use crate::unrolling::*;

/// What is left of a path after an effect.
pub enum Flow {
    Next,
    /// No path continues.
    Dead,
    Exits(Vec<Exit>),
}

impl Executor<'_> {
    pub fn block(&mut self, function: FunctionId, block: BlockId, mut path: Path) -> Run<Vec<Exit>> {
        let range = self.program.function(function).blocks[block.index()];
        self.check_limits((range.end - range.start) as u64)?;
        let mut probes = Vec::new();
        let mut exits = self.instructions(function, range.start..range.end, &mut path, &mut probes)?;
        while let Some((pc, mut probe)) = probes.pop() {
            exits.extend(self.instructions(function, pc..range.end, &mut probe, &mut probes)?);
        }
        Ok(exits)
    }

    fn instructions(
        &mut self,
        function: FunctionId,
        range: std::ops::Range<u32>,
        path: &mut Path,
        probes: &mut Vec<(u32, Path)>,
    ) -> Run<Vec<Exit>> {
        let program = self.program;
        let code = program.function(function);
        for pc in range {
            self.frames.last_mut().expect("running").pc = pc;
            self.probing = path.state.is_probe();
            self.excludes_others = path.state.section.as_ref().is_some_and(|section| section.depth > 0);
            self.open_paths += probes.len();
            let flow = self.instruction(&code.code[pc as usize], path)?;
            self.open_paths -= probes.len();
            probes.extend(self.forked.take().map(|probe| (pc + 1, probe)));
            match flow {
                Flow::Next if path.state.guard.is_false() => return Ok(Vec::new()),
                Flow::Next => {}
                Flow::Dead => return Ok(Vec::new()),
                Flow::Exits(exits) => return Ok(exits),
            }
        }
        Ok(Vec::new())
    }

    fn instruction(&mut self, inst: &Inst, path: &mut Path) -> Run<Flow> {
        let mut fails_spuriously = Term::FALSE;
        // The result of a conversion is a choice.
        let mut out_of_range = Term::FALSE;
        let mut point = None;
        let list = effects(inst);
        if let Inst::MemoryCopy { .. } | Inst::MemorySet { .. } = inst {
            return self.transfer(inst, path);
        }
        for effect in &list {
            match effect {
                Effect::Scalar => {
                    let get = |operand: Operand| self.get(path, operand);
                    let Some(evaluated) = scalar::evaluate(&self.d, inst, get) else {
                        self.limit(path.state.guard.term(), false, "an operation on floating-point numbers");
                        return Ok(Flow::Dead);
                    };
                    let faults = evaluated.faults;
                    let any = self.d.or(faults.range, faults.overflow);
                    if let Inst::FloatCast { .. } = inst {
                        out_of_range = any;
                    }
                    if self.machine.settings.overflow {
                        let here = self.under(path, any);
                        self.fault(FaultClass::Arithmetic, here);
                    }
                    for (register, value) in evaluated.results {
                        path.registers[register.index()] = value;
                    }
                    self.moved_within(inst, path);
                }
                Effect::Pointer => self.pointer_result(inst, path),
                Effect::SchedulingPoint => point = self.scheduling_point(path),
                Effect::Check(Check::Determinate { operand, bits, .. }) => {
                    self.determinate(path, *operand, *bits);
                }
                Effect::Check(Check::Disjoint { .. }) => {}
                Effect::Choose(Choice::SpuriousFailure) => {
                    if path.state.section.as_ref().is_none_or(|s| !s.kernel) {
                        let fails = self.choice(path, Term::TRUE, 1);
                        fails_spuriously = self.d.with(|t| t.extract(fails, 0, 0));
                    }
                }
                Effect::Choose(Choice::Frozen { source, bits, into }) => {
                    let value = self.get(path, *source);
                    let marks = self.low(*bits, value.undefined);
                    let frozen = if self.d.as_constant(marks) == Some(0) {
                        Value { bits: value.bits, undefined: self.d.constant(64, 0) }
                    } else if self.machine.settings.memory_safety {
                        value
                    } else {
                        self.chosen(path, value, *bits)
                    };
                    path.registers[into.index()] = frozen;
                }
                Effect::Choose(Choice::OutOfRange { bits, into }) if out_of_range != Term::FALSE => {
                    let answer = self.choice(path, out_of_range, mask(*bits));
                    let chosen = Value { bits: answer, undefined: self.d.constant(64, 0) };
                    let value = path.registers[into.index()];
                    path.registers[into.index()] = merge_values(&self.d, out_of_range, chosen, value);
                }
                Effect::Choose(Choice::OutOfRange { .. }) => {}
                Effect::Access(access) => {
                    if !self.access(access, path, fails_spuriously, point)? {
                        return Ok(Flow::Dead);
                    }
                }
                Effect::Fence(order) => self.fence(*order, path),
                Effect::Allocate { size, into } => {
                    let size = self.get(path, *size);
                    let Some(size) = self.d.as_constant(size.bits).filter(|size| *size <= MAX_OBJECT) else {
                        self.limit(path.state.guard.term(), false, "a local variable of variable size");
                        return Ok(Flow::Dead);
                    };
                    let id = self.stack_object(path, size as u32);
                    path.registers[into.index()] = self.d.value(id.base());
                }
                Effect::ThreadLocal { global, offset, into } => {
                    let known = path.state.thread_locals.iter().find(|(known, _)| known == global);
                    let id = match known {
                        Some((_, id)) => *id,
                        None => {
                            let data = self.program.global(*global);
                            if data.external {
                                self.limit(
                                    path.state.guard.term(),
                                    true,
                                    format!("`{}` has no definition", data.name),
                                );
                                return Ok(Flow::Dead);
                            }
                            let id = self.thread_local_object(path, *global);
                            path.state.thread_locals.push((*global, id));
                            id
                        }
                    };
                    path.registers[into.index()] = self.d.value(id.base().wrapping_add(*offset as u64));
                }
                Effect::StackHeight { into } => {
                    path.registers[into.index()] = self.d.value(path.objects.len() as u64);
                }
                Effect::StackRestore { height } => {
                    let height = self.get(path, *height);
                    let Some(height) = self.d.as_constant(height.bits) else {
                        self.limit(path.state.guard.term(), false, "a stack height that is not constant");
                        return Ok(Flow::Dead);
                    };
                    for id in path.objects.split_off((height as usize).min(path.objects.len())) {
                        self.set_life(path, None, Term::TRUE, id, false);
                    }
                }
                Effect::Lifetime { address, ends } => {
                    let address = self.get(path, *address);
                    let Some(id) = self.single_object(address.bits) else {
                        self.limit(path.state.guard.term(), false, "the lifetime of one of several objects");
                        return Ok(Flow::Dead);
                    };
                    if !ends {
                        self.forget_content(path, id);
                    }
                    self.set_life(path, None, Term::TRUE, id, !ends);
                }
                Effect::Kernel { op, into, arguments } => return self.kernel(*op, *into, arguments, path),
                Effect::Call(call) => return self.call_instruction(call, path),
                // No section outlives its function.
                Effect::Return(_) if path.state.is_probe() && self.frames.len() <= self.probed_from(path) => {
                    return Ok(Flow::Dead);
                }
                Effect::Return(values) => {
                    self.returned_between(values, path);
                    let values = values.iter().map(|value| self.get(path, *value)).collect();
                    return Ok(Flow::Exits(vec![Exit::Return(path.clone(), values)]));
                }
                Effect::LongJump { .. } => {
                    self.limit(path.state.guard.term(), false, "a long jump");
                    return Ok(Flow::Dead);
                }
                Effect::Jump(target) => return Ok(Flow::Exits(vec![Exit::Jump(*target, path.clone())])),
                Effect::Branch { condition, yes, no } => {
                    let value = self.get(path, *condition);
                    let holds = self.d.with(|t| t.extract(value.bits, 0, 0));
                    return Ok(Flow::Exits(self.fork(path, &[(holds, *yes)], *no)));
                }
                Effect::Switch(switch) => {
                    let value = self.get(path, switch.value);
                    let cases: Vec<(Term, BlockId)> = switch
                        .cases
                        .iter()
                        .map(|(case, target)| {
                            let case = self.d.constant(64, *case);
                            (self.d.equal(value.bits, case), *target)
                        })
                        .collect();
                    return Ok(Flow::Exits(self.fork(path, &cases, switch.default)));
                }
                Effect::IndirectJump { .. } => {
                    self.limit(path.state.guard.term(), false, "a computed goto");
                    return Ok(Flow::Dead);
                }
                Effect::Unsupported(reason) => {
                    self.limit(path.state.guard.term(), true, *reason);
                    return Ok(Flow::Dead);
                }
                Effect::Unreachable => {
                    self.limit(path.state.guard.term(), true, raddle_machine::UNREACHABLE);
                    return Ok(Flow::Dead);
                }
            }
            if path.state.guard.is_false() {
                return Ok(Flow::Dead);
            }
        }
        Ok(Flow::Next)
    }

    /// One path for each target that is not excluded; conditions exclude each other.
    fn fork(&self, path: &Path, cases: &[(Term, BlockId)], otherwise: BlockId) -> Vec<Exit> {
        let mut targets: Vec<(BlockId, Term)> = Vec::new();
        let mut none = Term::TRUE;
        for (condition, target) in cases {
            none = self.d.and(none, self.d.not(*condition));
            match targets.iter_mut().find(|(known, _)| known == target) {
                Some((_, all)) => *all = self.d.or(*all, *condition),
                None => targets.push((*target, *condition)),
            }
        }
        match targets.iter_mut().find(|(known, _)| *known == otherwise) {
            Some((_, all)) => *all = self.d.or(*all, none),
            None => targets.push((otherwise, none)),
        }
        let mut exits = Vec::new();
        for (target, condition) in targets {
            let guard = path.state.guard.and(&self.d, condition, Because::Branch);
            if !guard.is_false() {
                exits.push(Exit::Jump(
                    target,
                    Path { state: State { guard, ..path.state.clone() }, ..path.clone() },
                ));
            }
        }
        exits
    }

    pub fn stack_object(&mut self, path: &mut Path, size: u32) -> ObjectId {
        let count = path.state.counters.stack;
        let id = self.object_name(false, count);
        path.state.counters.stack = count.map(|n| n + 1);
        self.new_object(
            id,
            ObjectInfo { size, constant: false, heap: false, initial: Initial::Indeterminate },
        );
        path.objects.push(id);
        path.state.stack.push(id);
        self.stack_made.push(id);
        id
    }

    /// The thread's instance of a thread-local, which this path makes. Another path may have made it under another count.
    fn thread_local_object(&mut self, path: &mut Path, global: GlobalId) -> ObjectId {
        let count = path.state.counters.stack;
        path.state.counters.stack = count.map(|n| n + 1);
        if let Some(id) = self.thread_local_objects.get(&(self.thread, global)).copied() {
            let number = self.out.threads[self.thread.0 as usize].number;
            if count.map(|count| ObjectId::stack(number, count)) != Some(id) {
                self.rename(id);
            }
            return id;
        }
        let id = self.object_name(false, count);
        let content = self.machine.first_thread_local(global);
        let info = ObjectInfo {
            size: content.size(),
            constant: false,
            heap: false,
            initial: Initial::Of(std::rc::Rc::new(content)),
        };
        self.new_object(id, info);
        self.thread_local_objects.insert((self.thread, global), id);
        id
    }

    fn pointer_result(&mut self, inst: &Inst, path: &mut Path) {
        match inst {
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                let (base, index) = (self.get(path, *base), self.get(path, *index));
                let d = &self.d;
                let by = (*scale, *offset);
                let result =
                    scalar::pointer_add(d, *bits, &base, &index, by, |p, delta| moved(d, *p, *delta));
                path.registers[destination.index()] = result;
                self.index_pointer(result, (base, index), *bits, by);
            }
            Inst::Cast { op, from, to, destination, source } => {
                let value = self.get(path, *source);
                if self.program.data_model.pointer_bytes() == 4 {
                    let bits = match op {
                        CastOp::PointerToInt => self.number_of_pointer(value.bits),
                        _ => self.pointer_of_number(value.bits),
                    };
                    let value = Value { bits, ..value };
                    path.registers[destination.index()] = scalar::cast(&self.d, *op, *from, *to, &value);
                    return;
                }
                if *op == CastOp::PointerToInt {
                    self.expose(path, value.bits);
                } else {
                    self.convert_number(value.bits);
                }
                path.registers[destination.index()] = scalar::cast(&self.d, *op, *from, *to, &value);
            }
            Inst::Compare { op, bits, destination, a, b, .. } => {
                let (a, b) = (self.get(path, *a), self.get(path, *b));
                if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
                    let object = |v: Term| self.d.with(|t| t.extract(v, 63, pointer::OFFSET_BITS));
                    if object(a.bits) != object(b.bits) {
                        self.expose(path, a.bits);
                        self.expose(path, b.bits);
                    }
                } else {
                    self.compare_addresses(path, a.bits, b.bits);
                }
                path.registers[destination.index()] = scalar::compare(&self.d, *op, *bits, &a, &b);
            }
            _ => unreachable!("no other instruction computes with pointers"),
        }
    }

    /// Between registers of one function.
    fn moved_within(&mut self, inst: &Inst, path: &mut Path) {
        let (destination, sources) = match inst {
            Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                (*destination, vec![*source])
            }
            Inst::Select { destination, yes, no, .. } => (*destination, vec![*yes, *no]),
            _ => return,
        };
        let function = self.here().function;
        let value = path.registers[destination.index()].bits;
        for source in sources {
            self.moved_between(path, (function, source), (function, destination), value);
        }
    }

    /// To the registers of the function that called this one.
    fn returned_between(&mut self, values: &[Operand], path: &mut Path) {
        let [.., caller, here] = self.frames[..] else { return };
        let code = &self.program.function(caller.function).code;
        let Some(Inst::Call(call)) = code.get(caller.pc as usize) else { return };
        for (operand, register) in values.iter().zip(&call.results) {
            let value = self.get(path, *operand).bits;
            self.moved_between(path, (here.function, *operand), (caller.function, *register), value);
        }
    }

    /// The lowest bits of an operand are determinate: else a memory fault or, where that is not checked, a choice.
    pub fn determinate(&mut self, path: &mut Path, operand: Operand, bits: u8) {
        let value = self.get(path, operand);
        let is_determinate = scalar::is_determinate(&self.d, bits, &value);
        if is_determinate == Term::TRUE {
            return;
        }
        if self.machine.settings.memory_safety {
            self.memory_fault_unless(path, is_determinate);
            return;
        }
        let chosen = self.chosen(path, value, bits);
        if let OperandKind::Register(register) = operand.kind() {
            path.registers[register.index()] = chosen;
        } else {
            self.limit(path.state.guard.term(), false, "an indeterminate constant");
        }
    }

    /// Indeterminate bits are chosen.
    fn chosen(&mut self, path: &mut Path, value: Value, bits: u8) -> Value {
        let is_determinate = scalar::is_determinate(&self.d, bits, &value);
        self.expose(path, value.bits);
        let when = self.d.not(is_determinate);
        let answer = self.choice(path, when, mask(bits));
        let filled = self.d.with(|t| {
            let marked = t.and(answer, value.undefined);
            t.or(value.bits, marked)
        });
        Value { bits: filled, undefined: self.d.constant(64, 0) }
    }

    /// A choice from 0 to `last` that the path makes under a condition; scripted.
    pub fn choice(&mut self, path: &mut Path, when: Term, last: u64) -> Term {
        let variable = self.d.with(|t| t.variable(64));
        if last != u64::MAX {
            let inside = self.d.with(|t| {
                let last = t.constant(64, last);
                t.ule(variable, last)
            });
            self.out.constraints.push(inside);
        }
        let guard = self.under(path, when);
        self.script(guard, Step::Choice(variable, path.state.section_node()));
        if path.state.section.is_none() {
            path.state.last_step = LastStep::default();
        }
        variable
    }

    fn access(
        &mut self,
        access: &MemoryAccess,
        path: &mut Path,
        fails: Term,
        point: Option<usize>,
    ) -> Run<bool> {
        let width = match access.extent {
            Extent::Width(width) => width,
            Extent::ArgumentList => return Ok(self.argument_list(access, path)),
            Extent::JumpBuffer => {
                self.limit(path.state.guard.term(), false, "setjmp");
                return Ok(false);
            }
            Extent::Bytes(_) => unreachable!("copies and fills are done elsewhere"),
        };
        let address = self.get(path, access.address);
        let length = width.bytes(self.program.data_model);
        let mut places = self.places(path, address.bits, length, access.usage.writes());
        if path.state.guard.is_false() {
            return Ok(false);
        }
        let crosses = |place: &Place| (place.offset & 7) + length > 8;
        let in_steps = access.visible
            && access.order == MemoryOrder::NotAtomic
            && path.state.section.as_ref().is_none_or(|section| !section.kernel)
            && places.iter().any(crosses);
        let rest = places.first().map_or(0, |place| place.offset & 7);
        if in_steps && places.iter().all(|place| place.offset & 7 == rest) && length > 1 {
            // Each word is a step of its own.
            if let Some(point) = point {
                self.out.threads[self.thread.0 as usize].script.truncate(point);
            }
            return Ok(self.access_in_words(access, width, 8 - rest, path));
        }
        if in_steps {
            let across: Vec<Term> = places.iter().filter(|p| crosses(p)).map(|p| p.condition).collect();
            let across = self.d.with(|t| t.any(across));
            let here = self.under(path, across);
            self.limit(here, false, "an access that crosses a boundary of eight bytes");
            let not_across = self.d.not(across);
            self.assume(path, not_across, Because::Other);
            places.retain(|place| !crosses(place));
        }
        // Each place is a case.
        self.check_limits(places.len() as u64)?;
        let ranges = self.ranges(&places, length);
        if width != Width::Pointer && ranges.iter().any(|range| self.learned.cuts_unnumbered(*range, true)) {
            self.limit_address(path);
        }
        let reads_number = |range: &Range| self.learned.cuts_stack_pointer(*range, None);
        if width != Width::Pointer
            && !matches!(access.usage, MemoryUse::Write(_))
            && ranges.iter().any(reads_number)
        {
            self.exposed = true;
        }
        let node = self.access_node(path, &ranges, point);
        self.check_life(path, node, &places);
        let race_checked = access.visible && path.state.section.as_ref().is_none_or(|s| !s.kernel);
        // Where an exchange writes; where it does not, it is a read.
        let mut exchanges = None;
        let (bits, float) = match width {
            Width::Int(bits) => (bits, None),
            Width::Float => (32, Some(raddle_ir::FloatKind::Float)),
            Width::Double => (64, Some(raddle_ir::FloatKind::Double)),
            Width::Pointer => (self.program.data_model.pointer_bits(), None),
        };
        match access.usage {
            MemoryUse::Write(Written::Operand(source)) => {
                let value = self.get(path, source);
                let chunk = self.stored(width, value);
                self.write_places(path, node, &places, chunk);
            }
            MemoryUse::Write(_) => unreachable!("only of other extents"),
            usage => {
                if width == Width::Pointer && length == 4 {
                    for place in &places {
                        self.learned.wide.insert((place.object, place.offset));
                    }
                }
                let Some(chunk) = self.read_places(path, node, &places, length) else { return Ok(false) };
                let Some(old) = self.loaded(path, width, chunk) else { return Ok(false) };
                match usage {
                    MemoryUse::Read { into: Some(into) } => path.registers[into.index()] = old,
                    MemoryUse::Update { op, operand, into } => {
                        let operand = self.get(path, operand);
                        let Some(new) = scalar::update(&self.d, op, bits, float, &old, &operand) else {
                            self.limit(
                                path.state.guard.term(),
                                false,
                                "an atomic operation on floating-point numbers",
                            );
                            return Ok(false);
                        };
                        let chunk = self.stored(width, new);
                        let effects = path.state.effects.len();
                        self.write_places(path, node, &places, chunk);
                        let same_bits = self.d.equal(old.bits, new.bits);
                        let same_marks = self.d.equal(old.undefined, new.undefined);
                        let changed = self.d.not(self.d.and(same_bits, same_marks));
                        self.effects_only_if(path, effects, changed);
                        path.registers[into.index()] = old;
                    }
                    MemoryUse::Exchange { expected, new, old: found, success, .. } => {
                        let (expected, new) = (self.get(path, expected), self.get(path, new));
                        if width == Width::Pointer {
                            self.compare_addresses(path, old.bits, expected.bits);
                        }
                        let equal = scalar::exchange_equal(&self.d, bits, &old, &expected);
                        let known = self.d.is_zero(&equal.undefined);
                        self.memory_fault_unless(path, known);
                        let is_equal = self.d.with(|t| t.extract(equal.bits, 0, 0));
                        let swaps = self.d.and(is_equal, self.d.not(fails));
                        let chunk = self.stored(width, new);
                        let swapped: Vec<Place> = places
                            .iter()
                            .map(|place| Place { condition: self.d.and(place.condition, swaps), ..*place })
                            .filter(|place| place.condition != Term::FALSE)
                            .collect();
                        self.write_places(path, node, &swapped, chunk);
                        exchanges = Some(swaps);
                        path.registers[found.index()] = old;
                        let swaps = self.d.word_of_bit(&swaps);
                        path.registers[success.index()] =
                            Value { bits: swaps, undefined: self.d.constant(64, 0) };
                    }
                    _ => unreachable!("reads of a width have a destination"),
                }
            }
        }
        if race_checked {
            self.race_points(path, node, access, &places, length, exchanges);
        }
        Ok(true)
    }
}
