//! What the source says at an instruction: from an address register back through its definitions to a variable.
//!
//! A register is followed only if one instruction defines it and the values that are still in the frame agree with that
//! definition; otherwise the object's own path is shown. A variable that was assigned between the computation of an
//! address and its use makes them disagree, except where the front end kept a copy.

use raddle_ir::{
    CType, CTypeId, Callee, CastOp, Function, Inst, Operand, OperandKind, Program, Register, RegisterType,
    Storage, Width,
};

use super::path::{Path, Root, Stop, is_thread_handle, pointee, strip};
use super::{View, global_root, is_string_literal, object_path, value};
use raddle_machine::CodePoint;
use raddle_machine::ObjectKind;
use raddle_machine::pointer;
use raddle_machine::{Frame, Thread};
use raddle_machine::{Value, signed};

/// Longer chains of definitions are not followed.
const DEPTH: u32 = 16;
/// A call is shown in so many characters.
const CALL_LENGTH: usize = 80;
/// A string in a call.
const STRING_LENGTH: usize = 40;

/// Where an address points, as an expression.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// So many bytes into a variable.
    Inside { root: Root, offset: i64 },
    /// So many bytes behind where a pointer points to.
    Through { text: String, target: Option<CTypeId>, offset: i64 },
}

impl Spot {
    pub fn moved(self, bytes: i64) -> Spot {
        match self {
            Spot::Inside { root, offset } => Spot::Inside { root, offset: offset.wrapping_add(bytes) },
            Spot::Through { text, target, offset } => {
                Spot::Through { text, target, offset: offset.wrapping_add(bytes) }
            }
        }
    }

    /// The expression for what lies there.
    pub fn lvalue(&self, program: &Program, stop: Stop) -> Option<Path> {
        match self {
            Spot::Inside { root, offset } => Some(root.path(program, *offset, stop)),
            Spot::Through { text, target, offset } => {
                let root = Root::Pointer { text: text.clone(), target: (*target)? };
                Some(root.path(program, *offset, stop))
            }
        }
    }
}

/// The expressions of one frame.
pub(super) struct Expressions<'a> {
    view: View<'a>,
    program: &'a Program,
    function: &'a Function,
    registers: &'a [Value],
    frame: &'a Frame,
    /// For each register the instruction that defines it, and how many do.
    definitions: Vec<(Option<u32>, u32)>,
}

impl<'a> Expressions<'a> {
    pub fn new(view: View<'a>, thread: &'a Thread, frame: &'a Frame) -> Self {
        let program = &*view.machine.program;
        let function = program.function(frame.function);
        let base = frame.base as usize;
        let end = (base + function.registers.len()).min(thread.registers.len());
        let mut definitions = vec![(None, 0); function.registers.len()];
        for parameter in &function.parameters {
            definitions[parameter.index()].1 += 1;
        }
        for (pc, inst) in function.code.iter().enumerate() {
            inst.for_each_destination(|register| {
                if let Some(known) = definitions.get_mut(register.index()) {
                    *known = (Some(pc as u32), known.1 + 1);
                }
            });
        }
        let registers = thread.registers.get(base..end).unwrap_or_default();
        Expressions { view, program, function, registers, frame, definitions }
    }

    pub fn value(&self, operand: Operand) -> Option<Value> {
        let value = match operand.kind() {
            OperandKind::Register(register) => *self.registers.get(register.index())?,
            OperandKind::Constant(id) => self.view.machine.constant(self.frame.function, id)?,
        };
        value.is_defined().then_some(value)
    }

    /// Where a pointer operand points.
    pub fn spot(&self, operand: Operand) -> Option<Spot> {
        self.spot_within(operand, DEPTH)
    }

    fn spot_within(&self, operand: Operand, depth: u32) -> Option<Spot> {
        let depth = depth.checked_sub(1)?;
        let register = match operand.kind() {
            OperandKind::Constant(id) => {
                let (root, offset) = global_root(self.program, self.function.constants.get(id.index())?)?;
                return Some(Spot::Inside { root, offset });
            }
            OperandKind::Register(register) => register,
        };
        if let Some(spot) = self.variable(register) {
            return Some(spot);
        }
        let (Some(pc), 1) = *self.definitions.get(register.index())? else { return None };
        match self.function.code.get(pc as usize)? {
            Inst::Copy { source, .. } => {
                // A copy of a variable is what it was then: its name, but this register's value.
                let spot = self.spot_within(*source, depth)?;
                let same = self.value(*source)? == self.value(operand)?;
                let variable = source.as_register().is_some_and(|r| self.variable(r).is_some());
                (same || variable).then_some(spot)
            }
            Inst::Freeze { source, .. } => self.spot_within(*source, depth),
            Inst::PointerAdd { bits, base, index, scale, offset, .. } => {
                let index = signed(self.value(*index)?.bits, (*bits).clamp(1, 64));
                let step = index.wrapping_mul(*scale as i64).wrapping_add(*offset as i64);
                let end = self.value(*base)?.bits.wrapping_add(step as u64);
                let agree = end == self.value(operand)?.bits;
                agree.then(|| self.spot_within(*base, depth))?.map(|spot| spot.moved(step))
            }
            Inst::ThreadLocal { global, offset, .. } => {
                let global = self.program.globals.get(global.index())?;
                let root = Root::Object { name: global.name.clone(), ty: global.ty };
                Some(Spot::Inside { root, offset: *offset })
            }
            Inst::Load { address, .. } => {
                let size = self.program.data_model.pointer_bytes() as u64;
                let path = self.spot_within(*address, depth)?.lvalue(self.program, Stop::Bytes(size))?;
                if path.left != 0 {
                    return None;
                }
                let target = pointee(self.program, path.ty?);
                Some(Spot::Through { text: path.text, target, offset: 0 })
            }
            _ => None,
        }
    }

    /// A register that is a variable, or the address of one.
    fn variable(&self, register: Register) -> Option<Spot> {
        if let Some(local) = self.function.locals.iter().find(|l| l.storage == Storage::Memory(register)) {
            let root = Root::Object { name: local.name.clone(), ty: Some(local.ty) };
            return Some(Spot::Inside { root, offset: 0 });
        }
        let local = self.function.registers.get(register.index())?.local?;
        let local = self.function.locals.get(local.index())?;
        if local.storage != Storage::Register(register) {
            return None;
        }
        let target = pointee(self.program, local.ty);
        Some(Spot::Through { text: local.name.clone(), target, offset: 0 })
    }

    /// A pointer as an argument: a variable's name, or the address of something.
    fn pointer_argument(&self, operand: Operand, target: Option<CTypeId>) -> Option<String> {
        let spot = self.spot(operand)?;
        let stop = target.map_or(Stop::Outermost, Stop::Type);
        let path = spot.lvalue(self.program, stop).filter(|path| path.left == 0);
        if let Spot::Through { text, offset: 0, .. } = &spot {
            // The pointer itself, unless it is the address of a first member.
            return Some(match path {
                Some(path) if !path.text.starts_with('*') => address_text(self.program, &path.text, path.ty),
                _ => text.clone(),
            });
        }
        let path = path?;
        Some(address_text(self.program, &path.text, path.ty))
    }

    /// `ty` is the parameter's type, `passed` how the argument travels.
    fn argument(&self, operand: Operand, ty: Option<CTypeId>, passed: Option<RegisterType>) -> String {
        let Some(value) = self.value(operand) else { return "?".to_string() };
        let holds = match operand.kind() {
            OperandKind::Register(r) => self.function.registers.get(r.index()).map(|info| info.ty),
            OperandKind::Constant(_) => passed,
        };
        let plain = ty.map(|ty| self.program.ctype(strip(self.program, ty)));
        let is_pointer = matches!(holds, Some(RegisterType::Pointer))
            || matches!(plain, Some(CType::Pointer(_)))
            || !pointer::is_integer(value.bits) && holds.is_none() && plain.is_none();
        if !is_pointer && let Some(variable) = self.handle(operand) {
            return variable;
        }
        if !is_pointer {
            let width = match holds {
                Some(RegisterType::Int(bits)) => Some(Width::Int(bits)),
                Some(RegisterType::Float) => Some(Width::Float),
                Some(RegisterType::Double) => Some(Width::Double),
                _ => None,
            };
            return value::number(self.program, ty, width, value);
        }
        // A number that travels as a pointer: what the source says is a cast.
        if pointer::is_integer(value.bits) {
            return object_path(self.view, value.bits, Stop::Outermost, None).text;
        }
        if let Some(text) = self.string_literal(value.bits) {
            return text;
        }
        let target = ty.and_then(|ty| pointee(self.program, ty));
        self.pointer_argument(operand, target)
            .unwrap_or_else(|| value::pointer_text(self.view, value.bits, target))
    }

    /// The variable from which a thread's identifier is read: its number says less.
    fn handle(&self, operand: Operand) -> Option<String> {
        let (Some(pc), 1) = *self.definitions.get(operand.as_register()?.index())? else { return None };
        let Inst::Load { address, .. } = self.function.code.get(pc as usize)? else { return None };
        let size = self.program.data_model.pointer_bytes() as u64;
        let path = self.spot(*address)?.lvalue(self.program, Stop::Bytes(size))?;
        (path.left == 0 && is_thread_handle(self.program, path.ty?)).then_some(path.text)
    }

    fn string_literal(&self, pointer: u64) -> Option<String> {
        let object = self.view.memory.object(pointer::object(pointer))?;
        let ObjectKind::Global(global) = object.kind else { return None };
        if !is_string_literal(self.program.globals.get(global.index())?) {
            return None;
        }
        let offset = usize::try_from(pointer::offset(pointer)).ok()?;
        let bytes = object.bytes().get(offset..)?.split(|b| *b == 0).next()?;
        Some(value::quoted(bytes, STRING_LENGTH))
    }

    /// The type of a parameter, by the variable it becomes.
    fn parameter_type(&self, callee: Option<&Function>, index: usize) -> Option<CTypeId> {
        let callee = callee?;
        let register = *callee.parameters.get(index)?;
        let local = callee.registers.get(register.index())?.local?;
        callee.locals.get(local.index()).map(|local| local.ty)
    }

    fn call(&self, pc: u32) -> Option<String> {
        let (name, callee, arguments, variadic) = match self.function.code.get(pc as usize)? {
            Inst::Call(call) => {
                let callee = match call.callee {
                    Callee::Direct(id) => self.program.functions.get(id.index()),
                    Callee::Indirect(operand) => match pointer::object(self.value(operand)?.bits).name() {
                        pointer::ObjectName::Function(index) => self.program.functions.get(index as usize),
                        _ => None,
                    },
                };
                let name = callee.map_or("a function", |f| f.name.as_str()).to_string();
                (name, callee, &call.arguments[..], &call.variadic[..])
            }
            Inst::Kernel { op, arguments, .. } => {
                (format!("__raddle_{}", op.word()), None, &arguments[..], &[][..])
            }
            _ => return None,
        };
        let fixed = arguments.len().saturating_sub(variadic.len());
        let mut text = format!("{name}(");
        for (i, argument) in arguments.iter().enumerate() {
            let variadic = i.checked_sub(fixed).and_then(|i| variadic.get(i)).map(|w| w.register_type());
            let parameter = callee.and_then(|f| f.registers.get(f.parameters.get(i)?.index())).map(|r| r.ty);
            let ty = self.parameter_type(callee, i);
            let shown = self.argument(self.before_conversion(*argument), ty, variadic.or(parameter));
            let comma = if i == 0 { "" } else { ", " };
            let last = i + 1 == arguments.len();
            // Room for `, …)` must stay, unless this is the last.
            let room = CALL_LENGTH.saturating_sub(if last { 1 } else { 4 });
            if text.chars().count() + comma.len() + shown.chars().count() > room {
                text.push_str(comma);
                text.push('…');
                break;
            }
            text.push_str(comma);
            text.push_str(&shown);
        }
        text.push(')');
        Some(text)
    }

    /// Conversions of an argument say nothing new: `(void *)(long)i`.
    fn before_conversion(&self, operand: Operand) -> Operand {
        let Some(register) = operand.as_register() else { return operand };
        let Some((Some(pc), 1)) = self.definitions.get(register.index()) else { return operand };
        match self.function.code.get(*pc as usize) {
            Some(Inst::Cast { op: CastOp::PointerToInt, source, .. }) => *source,
            _ => operand,
        }
    }
}

/// `&path`; the name of an array of characters alone, as it is written.
pub(super) fn address_text(program: &Program, path: &str, ty: Option<CTypeId>) -> String {
    if let Some(ty) = ty
        && let CType::Array { element, .. } = program.ctype(strip(program, ty))
    {
        let element = program.ctype(strip(program, *element));
        return match element {
            CType::Integer { character: true, .. } => path.to_string(),
            _ => format!("&{}[0]", super::path::operand(path)),
        };
    }
    let character = |ty| matches!(program.ctype(strip(program, ty)), CType::Integer { character: true, .. });
    match path.strip_suffix("[0]") {
        Some(array) if ty.is_some_and(character) => array.to_string(),
        _ => format!("&{path}"),
    }
}

/// A call of the user as the source says it, with the values of its arguments: `pthread_mutex_lock(&m)`. `call` is the
/// instruction, in one of the thread's frames.
pub fn describe_call(view: View, thread: &Thread, call: CodePoint) -> String {
    let machine = view.machine;
    let at_call = |frame: &&Frame| {
        frame.function == call.function && (frame.pc == call.pc || frame.pc == call.pc.wrapping_add(1))
    };
    let described = thread
        .frames
        .iter()
        .rev()
        .find(at_call)
        .and_then(|frame| Expressions::new(view, thread, frame).call(call.pc));
    described.unwrap_or_else(|| {
        // The frame is gone, or it is no call: the name alone.
        let function = machine.program.functions.get(call.function.index());
        match function.and_then(|f| f.code.get(call.pc as usize)) {
            Some(Inst::Call(inner)) => match inner.callee {
                Callee::Direct(id) => format!("{}(…)", machine.program.function(id).name),
                Callee::Indirect(_) => "a call through a pointer".to_string(),
            },
            _ => String::new(),
        }
    })
}
