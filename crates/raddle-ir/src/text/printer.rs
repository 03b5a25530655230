//! Program to text. Total: an invalid program is printed too (ids out of range as numbers), so that it can be looked
//! at; only of valid ones is it promised that the parser gives back the same program.

use std::collections::HashMap;
use std::fmt::Write;

use super::defaults::{OBJECT_ALIGN_LOG2, result_type};
use super::words::*;
use crate::ctype::{CType, Member};
use crate::ids::*;
use crate::instruction::Inst;
use crate::program::*;

/// The text form of a program. See [`crate::text`] for the grammar.
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        program,
        functions: count_names(program.functions.iter().map(|f| f.name.as_str())),
        globals: count_names(program.globals.iter().map(|g| g.name.as_str())),
        files: count_names(program.files.iter().map(|f| f.as_str())),
        out: String::new(),
    };
    printer.program();
    printer.out
}

fn count_names<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, u32> {
    let mut counts = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_insert(0) += 1);
    counts
}

pub(super) struct Printer<'a> {
    pub program: &'a Program,
    /// How often each name occurs.
    functions: HashMap<&'a str, u32>,
    globals: HashMap<&'a str, u32>,
    files: HashMap<&'a str, u32>,
    pub out: String,
}

/// Appends formatted text; writing to a string cannot fail.
macro_rules! put {
    ($printer:expr, $($argument:tt)*) => {{ let _ = write!($printer.out, $($argument)*); }};
}
pub(super) use put;

impl<'a> Printer<'a> {
    fn program(&mut self) {
        let program = self.program;
        put!(self, "data_model {}\n", program.data_model.word());
        put!(self, "entry {}\n", self.function_name(program.entry));
        if let Some(tcb) = program.main_tcb {
            put!(self, "main_tcb {}\n", self.global_name(tcb));
        }
        for file in &program.files {
            put!(self, "file {}\n", quoted(file));
        }
        for (index, ty) in program.ctypes.iter().enumerate() {
            put!(self, "type {} = ", CTypeId::new(index));
            self.ctype(ty);
            self.out.push('\n');
        }
        for global in &program.globals {
            self.global(global);
        }
        for function in &program.functions {
            self.function(function);
        }
    }

    /// `@main`, or by number where the name is not unique.
    pub fn function_name(&self, id: FunctionId) -> String {
        let name = self.program.functions.get(id.index()).map(|f| f.name.as_str());
        match name {
            Some(name) if self.functions.get(name) == Some(&1) => format!("@{}", bare_or_quoted(name)),
            _ if !self.functions.contains_key(id.to_string().as_str()) => format!("@{id}"),
            _ => format!("@#{}", id.0),
        }
    }
    /// `&counter`, or by number where the name is not unique.
    pub fn global_name(&self, id: GlobalId) -> String {
        let name = self.program.globals.get(id.index()).map(|g| g.name.as_str());
        match name {
            // `&bb1` is a block.
            Some(name) if self.globals.get(name) == Some(&1) && numbered(name, "bb").is_some() => {
                format!("&{}", quoted(name))
            }
            Some(name) if self.globals.get(name) == Some(&1) => format!("&{}", bare_or_quoted(name)),
            _ if !self.globals.contains_key(id.to_string().as_str()) => format!("&{id}"),
            _ => format!("&#{}", id.0),
        }
    }
    /// ` @ main.c:12:5`, or nothing for the unknown place.
    pub fn place(&mut self, place: Place) {
        if place == Place::default() {
            return;
        }
        self.out.push_str(" @ ");
        if place.file.0 != 0 {
            match self.program.files.get(place.file.index()) {
                Some(name) if self.files.get(name.as_str()) == Some(&1) => {
                    if is_bare_file(name) {
                        put!(self, "{name}:");
                    } else {
                        put!(self, "{}:", quoted(name));
                    }
                }
                _ => put!(self, "#{}:", place.file.0),
            }
        }
        put!(self, "{}:{}", place.line, place.column);
    }

    fn ctype(&mut self, ty: &CType) {
        match ty {
            CType::Void => self.out.push_str("void"),
            CType::Function => self.out.push_str("function"),
            CType::Integer { name, size, signed, boolean, character } => {
                put!(self, "integer {} {size}", bare_or_quoted(name));
                for (flag, word) in [(signed, " signed"), (boolean, " boolean"), (character, " character")] {
                    if *flag {
                        self.out.push_str(word);
                    }
                }
            }
            CType::Float { name, size } => put!(self, "float {} {size}", bare_or_quoted(name)),
            CType::Pointer(target) => put!(self, "pointer {target}"),
            CType::Array { element, count: Some(count) } => put!(self, "array {element} {count}"),
            CType::Array { element, count: None } => put!(self, "array {element}"),
            CType::Struct { name, size, members } => self.record("struct", name, *size, members),
            CType::Union { name, size, members } => self.record("union", name, *size, members),
            CType::Enum { name, size, values } => {
                put!(self, "enum {} {size} {{", bare_or_quoted(name));
                for (index, (name, value)) in values.iter().enumerate() {
                    put!(self, "{} {} = {value}", separator(index), bare_or_quoted(name));
                }
                self.out.push_str(" }");
            }
            CType::Typedef { name, target } => put!(self, "typedef {} {target}", bare_or_quoted(name)),
            CType::Qualified { word, target } => put!(self, "qualified {} {target}", bare_or_quoted(word)),
            CType::Opaque { name, size } => put!(self, "opaque {} {size}", bare_or_quoted(name)),
        }
    }
    fn record(&mut self, keyword: &str, name: &str, size: u64, members: &[Member]) {
        put!(self, "{keyword} {} {size} {{", bare_or_quoted(name));
        for (index, Member { name, bit_offset, bit_width, ty }) in members.iter().enumerate() {
            put!(self, "{} {}: {ty} at {bit_offset}", separator(index), bare_or_quoted(name));
            if let Some(width) = bit_width {
                put!(self, " width {width}");
            }
        }
        self.out.push_str(" }");
    }

    fn global(&mut self, global: &Global) {
        put!(self, "global {}: ", bare_or_quoted(&global.name));
        let scalar = matches!(global.size, 1 | 2 | 4 | 8);
        if scalar {
            put!(self, "i{}", global.size * 8);
        } else {
            put!(self, "{}", global.size);
        }
        let align = if scalar { global.size as u32 } else { 1 << OBJECT_ALIGN_LOG2 };
        if global.align != align {
            put!(self, " align {}", global.align);
        }
        for (flag, word) in [
            (global.thread_local, " thread_local"),
            (global.constant, " constant"),
            (global.external, " external"),
            (global.library, " library"),
        ] {
            if flag {
                self.out.push_str(word);
            }
        }
        if let Some(ty) = global.ty {
            put!(self, " type {ty}");
        }
        self.initializer(&global.initializer, scalar, global.size);
        self.place(global.place);
        self.out.push('\n');
    }
    fn initializer(&mut self, initializer: &Initializer, scalar: bool, size: u64) {
        let Initializer { bytes, relocations, undefined } = initializer;
        if bytes.is_empty() && relocations.is_empty() && undefined.is_empty() {
            return;
        }
        if relocations.is_empty() && undefined.is_empty() {
            if scalar && bytes.len() as u64 == size {
                let value = bytes.iter().rev().fold(0u64, |value, byte| value << 8 | *byte as u64);
                put!(self, " = {value}");
            } else {
                put!(self, " = {}", byte_string(bytes));
            }
            return;
        }
        self.out.push_str(" = {");
        let mut items = 0;
        if !bytes.is_empty() {
            put!(self, " {}", byte_string(bytes));
            items = 1;
        }
        for Relocation { offset, target, addend } in relocations {
            put!(self, "{} {offset}: ", separator(items));
            items += 1;
            match target {
                SymbolTarget::Global(id) => put!(self, "{}", self.global_name(*id)),
                SymbolTarget::Function(id) => put!(self, "{}", self.function_name(*id)),
                SymbolTarget::Block(id, block) => put!(self, "&{block} of {}", self.function_name(*id)),
            }
            if *addend != 0 {
                put!(self, "{addend:+}");
            }
        }
        for (start, end) in undefined {
            put!(self, "{} undefined {start} to {end}", separator(items));
            items += 1;
        }
        self.out.push_str(" }");
    }

    fn function(&mut self, function: &'a Function) {
        put!(self, "\nfunction {}(", bare_or_quoted(&function.name));
        for (index, register) in function.parameters.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.register_declaration(function, *register);
        }
        if function.variadic {
            self.out.push_str(if function.parameters.is_empty() { "..." } else { ", ..." });
        }
        self.out.push(')');
        if function.results > 0 {
            put!(self, " -> {}", function.results);
        }
        if function.library {
            self.out.push_str(if function.added { " library added" } else { " library" });
        }
        for declaration in &function.declarations {
            put!(self, " declares {}", quoted(&declaration.to_string()));
        }
        self.place(function.place);
        let plan = DeclarationPlan::new(function);
        let canonical = function.has_canonical_constants();
        if !function.has_body() && function.locals.is_empty() && canonical && plan.ahead.is_empty() {
            self.out.push('\n');
            return;
        }
        self.out.push_str(" {\n");
        for (index, local) in function.locals.iter().enumerate() {
            put!(self, "    {}: {} {}", LocalId::new(index), bare_or_quoted(&local.name), local.ty);
            match local.storage {
                Storage::Register(register) => put!(self, " in {register}"),
                Storage::Memory(register) => put!(self, " at {register}"),
                Storage::Nowhere => {}
            }
            self.place(local.place);
            self.out.push('\n');
        }
        for register in &plan.ahead {
            self.out.push_str("    ");
            self.register_declaration(function, *register);
            self.out.push('\n');
        }
        if !canonical {
            self.out.push_str("    constants [");
            for (index, constant) in function.constants.iter().enumerate() {
                if index > 0 {
                    self.out.push_str(", ");
                }
                self.constant(constant, None);
            }
            self.out.push_str("]\n");
        }
        let mut body = super::print_instruction::Body::new(self, function, &plan, canonical);
        for (index, block) in function.blocks.iter().enumerate() {
            put!(body.printer, "{}:\n", BlockId::new(index));
            for pc in block.start..block.end {
                let Some(inst) = function.code.get(pc as usize) else { break };
                body.printer.out.push_str("    ");
                body.instruction(pc as usize, inst);
                let place = function.places.get(pc as usize).copied().unwrap_or_default();
                body.printer.place(place);
                body.printer.out.push('\n');
            }
        }
        self.out.push_str("}\n");
    }
    fn register_declaration(&mut self, function: &Function, register: Register) {
        put!(self, "{register}");
        if let Some(info) = function.registers.get(register.index()) {
            put!(self, ": {}", type_word(info.ty));
            if let Some(local) = info.local {
                put!(self, " {local}");
            }
        }
    }

    /// A constant as an operand where a value of type `expected` is read.
    pub fn constant(&mut self, constant: &Constant, expected: Option<RegisterType>) {
        match constant {
            Constant::Bits(value) => put!(self, "{}", bits_literal(*value, expected)),
            Constant::Global(id, addend) => {
                put!(self, "{}", self.global_name(*id));
                if *addend != 0 {
                    put!(self, "{addend:+}");
                }
            }
            Constant::Function(id) => put!(self, "{}", self.function_name(*id)),
            Constant::Undefined => self.out.push_str("undef"),
            Constant::Block(id) => put!(self, "&{id}"),
        }
    }
}

/// Which registers are declared ahead of the code, and which at their first definition.
pub(super) struct DeclarationPlan {
    /// Those that no instruction defines, that are source variables, or whose definition gives another type.
    pub ahead: Vec<Register>,
    /// Instruction and result number of definitions that carry their register's type.
    pub annotated: std::collections::HashSet<(usize, usize)>,
}

impl DeclarationPlan {
    fn new(function: &Function) -> DeclarationPlan {
        let mut known = vec![false; function.registers.len()];
        let mut ahead = Vec::new();
        for parameter in &function.parameters {
            if let Some(known) = known.get_mut(parameter.index()) {
                *known = true;
            }
        }
        for (index, info) in function.registers.iter().enumerate() {
            if info.local.is_some() && !known[index] {
                known[index] = true;
                ahead.push(Register::new(index));
            }
        }
        let mut annotated = std::collections::HashSet::new();
        for (pc, inst) in function.code.iter().enumerate() {
            let mut which = 0;
            for_each_destination(inst, |register| {
                let Some(info) = function.registers.get(register.index()) else { return };
                let first = !std::mem::replace(&mut known[register.index()], true);
                if first && result_type(inst, which) != Some(info.ty) {
                    // The further limbs of a wide value are not written out.
                    if which > 0 && matches!(inst, Inst::Wide(_)) {
                        ahead.push(register);
                    } else {
                        annotated.insert((pc, which));
                    }
                }
                which += 1;
            });
        }
        ahead.extend((0..known.len()).filter(|index| !known[*index]).map(Register::new));
        ahead.sort();
        DeclarationPlan { ahead, annotated }
    }
}

/// As [`Inst::for_each_destination`], for invalid instructions too: a wide value beyond the last register is cut.
pub(super) fn for_each_destination(inst: &Inst, mut f: impl FnMut(Register)) {
    match inst {
        Inst::Wide(wide) => (0..wide.destination_limbs())
            .filter_map(|limb| wide.destination.0.checked_add(limb))
            .for_each(|index| f(Register(index))),
        _ => inst.for_each_destination(f),
    }
}

fn separator(items: usize) -> &'static str {
    if items == 0 { "" } else { "," }
}

pub(super) fn bare_or_quoted(name: &str) -> String {
    if is_bare_name(name) { name.to_string() } else { quoted(name) }
}

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn byte_string(bytes: &[u8]) -> String {
    let mut out = String::from("b\"");
    for byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x20..=0x7e => out.push(*byte as char),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push('"');
    out
}

/// Bits as a float where a float is expected, as a small negative number where that is what they are, else as they are.
fn bits_literal(value: u64, expected: Option<RegisterType>) -> String {
    match expected {
        Some(RegisterType::Pointer) if value == 0 => "null".into(),
        Some(RegisterType::Double) if f64::from_bits(value).is_finite() => {
            format!("{:?}", f64::from_bits(value))
        }
        Some(RegisterType::Float) => match u32::try_from(value).map(f32::from_bits) {
            Ok(float) if float.is_finite() => format!("{float:?}"),
            _ => format!("{value:#x}"),
        },
        Some(RegisterType::Double | RegisterType::Pointer) => format!("{value:#x}"),
        Some(RegisterType::Int(bits @ 2..=64)) => {
            let mask = u64::MAX >> (64 - bits);
            let magnitude = value.wrapping_neg() & mask;
            if value <= mask && value >> (bits - 1) == 1 && magnitude <= 0xffff {
                format!("-{magnitude}")
            } else {
                value.to_string()
            }
        }
        _ => value.to_string(),
    }
}
