//! Names as C text, the types behind pointers, and classes: all objects of one structure type, all elements of one array.

use raddle_ir::{CType, CTypeId, FunctionId, Register, Storage};

use super::interpret::Interpreter;
use super::symbols::{Name, Symbol};
use crate::members;

impl Interpreter<'_> {
    fn plain(&self, ty: CTypeId) -> CTypeId {
        members::plain(self.program, ty)
    }

    /// The type of what an address points to.
    pub fn type_at(&self, address: Symbol) -> Option<CTypeId> {
        let ty = match self.symbols.name(address) {
            Name::Global(global) | Name::ThreadLocal(global) => self.program.global(*global).ty,
            Name::Local(function, pc) => {
                self.local_of(*function, *pc).map(|index| self.program.function(*function).locals[index].ty)
            }
            Name::Offset(base, bytes) => {
                let ty = self.plain(self.type_at(*base)?);
                Some(self.member(ty, u64::try_from(*bytes).ok()?)?.1)
            }
            Name::Element(base, _, scale) => {
                let mut ty = self.plain(self.type_at(*base)?);
                for _ in 0..4 {
                    match self.program.ctype(ty) {
                        CType::Array { element, .. }
                            if self.program.ctype_size(ty) != Some(u64::from(scale.unsigned_abs())) =>
                        {
                            ty = self.plain(*element);
                        }
                        // A pointer to the first element.
                        _ => break,
                    }
                }
                Some(ty)
            }
            Name::Load(of) => match self.type_at(*of).map(|ty| self.program.ctype(self.plain(ty))) {
                Some(CType::Pointer(to)) => Some(*to),
                _ => None,
            },
            Name::Parameter(function, index) => {
                let register = *self.program.function(*function).parameters.get(*index as usize)?;
                self.pointer_of(*function, register)
            }
            Name::Joined(function, _, register) => self.pointer_of(*function, *register),
            _ => None,
        };
        ty.filter(|ty| !matches!(self.program.ctype(self.plain(*ty)), CType::Void))
            .or_else(|| self.symbols.pointees.get(&address).copied())
    }

    fn pointer_of(&self, function: FunctionId, register: Register) -> Option<CTypeId> {
        let body = self.program.function(function);
        let local = body.registers[register.index()].local?;
        match self.program.ctype(self.plain(body.locals[local.index()].ty)) {
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The local variable whose object an `alloca` makes.
    fn local_of(&self, function: FunctionId, pc: u32) -> Option<usize> {
        let body = self.program.function(function);
        let raddle_ir::Inst::Alloca { destination, .. } = &body.code[pc as usize] else { return None };
        body.locals.iter().position(|l| matches!(l.storage, Storage::Memory(r) if r == *destination))
    }

    fn member(&self, ty: CTypeId, bytes: u64) -> Option<(String, CTypeId)> {
        members::member(self.program, ty, bytes)
    }

    /// What is at an address, as C text.
    pub fn place_text(&self, address: Symbol) -> String {
        match self.symbols.name(address) {
            Name::Global(global) | Name::ThreadLocal(global) => self.program.global(*global).name.clone(),
            Name::Local(function, pc) => match self.local_of(*function, *pc) {
                Some(index) => self.program.function(*function).locals[index].name.clone(),
                None => "a local".into(),
            },
            Name::Offset(base, bytes) => {
                let member = self
                    .type_at(*base)
                    .and_then(|ty| self.member(ty, u64::try_from(*bytes).ok()?))
                    .map(|(text, _)| text);
                self.with_member(*base, member)
            }
            Name::Element(base, index, _) => {
                let text = match self.is_pointer_value(*base) {
                    true => self.value_text(*base),
                    false => self.place_text(*base),
                };
                format!("{text}[{}]", self.value_text(*index))
            }
            Name::AtomicSections => "the atomic section".into(),
            Name::Typed(name) => format!("a {name}"),
            _ => match self.first_member(address) {
                Some(member) => self.with_member(address, Some(member)),
                None => format!("*{}", self.value_text(address)),
            },
        }
    }

    /// The number or pointer at an address, as C text.
    pub fn scalar_text(&self, address: Symbol) -> String {
        let ty = self.type_at(address).map(|ty| self.plain(ty));
        let inner = ty.filter(|ty| {
            matches!(self.program.ctype(*ty), CType::Struct { .. } | CType::Array { .. })
                && !self.is_pointer_value(address)
        });
        match inner.and_then(|ty| self.member(ty, 0)) {
            Some((member, _)) => format!("{}{member}", self.place_text(address)),
            None => self.place_text(address),
        }
    }

    fn with_member(&self, base: Symbol, member: Option<String>) -> String {
        let Some(member) = member else { return format!("part of {}", self.place_text_of_object(base)) };
        if !self.is_pointer_value(base) {
            return format!("{}{member}", self.place_text_of_object(base));
        }
        let pointer = self.value_text(base);
        match member.strip_prefix('.') {
            Some(name) => format!("{pointer}->{name}"),
            None => format!("{pointer}{member}"),
        }
    }

    fn place_text_of_object(&self, base: Symbol) -> String {
        if self.is_pointer_value(base) {
            format!("*{}", self.value_text(base))
        } else {
            self.place_text(base)
        }
    }

    /// The first member of a structure that a pointer points to, where it is the only thing at its address.
    fn first_member(&self, pointer: Symbol) -> Option<String> {
        let ty = self.plain(self.type_at(pointer)?);
        match self.program.ctype(ty) {
            CType::Struct { members, .. } if !members.is_empty() => self.member(ty, 0).map(|(text, _)| text),
            _ => None,
        }
    }

    fn is_pointer_value(&self, symbol: Symbol) -> bool {
        !matches!(
            self.symbols.name(symbol),
            Name::Global(_) | Name::ThreadLocal(_) | Name::Local(..) | Name::Offset(..) | Name::Element(..)
        )
    }

    /// A value as C text.
    pub fn value_text(&self, value: Symbol) -> String {
        let named = |function: &FunctionId, register: Register| {
            let body = self.program.function(*function);
            body.registers[register.index()].local.map(|local| body.locals[local.index()].name.clone())
        };
        match self.symbols.name(value) {
            Name::Number(number) => number.to_string(),
            Name::Function(function) => self.program.function(*function).name.clone(),
            Name::Load(address) | Name::Read(address, ..) => self.scalar_text(*address),
            Name::Parameter(function, index) => {
                let register = self.program.function(*function).parameters.get(*index as usize);
                register.and_then(|r| named(function, *r)).unwrap_or_else(|| "...".into())
            }
            Name::Joined(function, _, register) => named(function, *register).unwrap_or_else(|| "...".into()),
            Name::Heap(..) => "(a heap block)".into(),
            Name::Global(_)
            | Name::Local(..)
            | Name::Offset(..)
            | Name::Element(..)
            | Name::ThreadLocal(_) => {
                format!("(&{})", self.place_text(value))
            }
            _ => "...".into(),
        }
    }

    /// All places like this one: the same member of all objects of a type, all elements of an array.
    pub fn class(&mut self, address: Symbol) -> Symbol {
        match self.symbols.name(address).clone() {
            Name::Offset(base, bytes) => {
                let base = self.class(base);
                self.symbols.offset(base, bytes)
            }
            Name::Element(base, _, scale) => match self.structure(address) {
                Some(name) => self.symbols.intern(Name::Typed(name)),
                None => {
                    let base = self.class(base);
                    match base {
                        Symbol::UNKNOWN => address,
                        _ => self.symbols.intern(Name::Element(base, Symbol::UNKNOWN, scale)),
                    }
                }
            },
            Name::Global(_)
            | Name::ThreadLocal(_)
            | Name::Local(..)
            | Name::AtomicSections
            | Name::Unknown => address,
            _ => match self.structure(address) {
                Some(name) => self.symbols.intern(Name::Typed(name)),
                None => address,
            },
        }
    }

    /// The name of the structure that is at an address.
    pub fn structure(&self, address: Symbol) -> Option<String> {
        let ty = self.plain(self.type_at(address)?);
        match self.program.ctype(ty) {
            CType::Struct { name, .. } if !name.is_empty() => Some(name.clone()),
            _ => None,
        }
    }
}
