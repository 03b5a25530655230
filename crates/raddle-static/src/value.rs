//! What the abstract interpretation knows of a register, and names for what it does not know.
//!
//! Value numbering in the manner of Alpern, Wegman and Zadeck (1988), on mutable registers: a value that is computed,
//! loaded or joined gets a *symbol*, the name of the place where it came to be. A symbol stands for the value of the last
//! time that place was executed; when it is executed again, all that was named by the symbol before is forgotten
//! (`state.rs`). So two equal names in one state are the same value, which is what "the lock is the same object" needs.
//!
//! The content of a cell that no thread can change in between is named by its address ([`SymbolKey::Content`]): the
//! *final* fields of Flanagan and Freund (2000). Which cells those are is in `assumed.rs`.

use raddle_analysis::{ANYWHERE, ObjectIndex, Target, Targets};
use raddle_ir::{FunctionId, Register};
use rustc_hash::FxHashMap;

use crate::threads::ThreadId;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

/// What an address starts from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// The start of an object of which every run has at most one instance.
    Object(ObjectIndex),
    /// The start of the executing thread's instance.
    ThreadLocal(ObjectIndex),
    /// The start of the instance that its site made last, in this thread.
    Instance(ObjectIndex),
    /// The value that the symbol names.
    Symbol(SymbolId),
}

/// base + offset + scale * index, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    pub base: Base,
    pub offset: i64,
    pub index: Option<(i64, SymbolId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Unknown,
    Number(u64),
    Function(FunctionId),
    /// The number of a thread.
    Thread(ThreadId),
    /// Of a number, too: then the base is a symbol and the offset 0.
    Address(Address),
}

impl Value {
    pub fn of(base: Base) -> Value {
        Value::Address(Address { base, offset: 0, index: None })
    }
    pub fn symbol(symbol: SymbolId) -> Value {
        Value::of(Base::Symbol(symbol))
    }
    pub fn base(self) -> Option<Base> {
        match self {
            Value::Address(address) => Some(address.base),
            _ => None,
        }
    }
    /// The symbol that is the whole value.
    pub fn whole_symbol(self) -> Option<SymbolId> {
        match self {
            Value::Address(Address { base: Base::Symbol(symbol), offset: 0, index: None }) => Some(symbol),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKey {
    /// The n-th destination of an instruction.
    Defined(FunctionId, u32, u32),
    /// A register in which paths that meet at a block differ.
    Joined(FunctionId, u32, Register),
    Parameter(FunctionId, u32),
    /// The n-th result of a call.
    Result(FunctionId, u32, u32),
    /// Another symbol converted: operation and widths.
    Extended(SymbolId, u8, u8, u8),
    /// What a cell of so many bytes contains.
    Content(Base, i64, u32),
    /// What a thread is given.
    Argument(ThreadId),
}

/// Contents of contents, at most.
const DEPTH: u32 = 3;

/// The table of symbols.
#[derive(Default)]
pub struct Symbols {
    ids: FxHashMap<SymbolKey, SymbolId>,
    keys: Vec<SymbolKey>,
    /// What the named value may point into.
    targets: Vec<Targets>,
}

impl Symbols {
    /// The symbol of a key; `targets` is evaluated when it is new.
    pub fn named(&mut self, key: SymbolKey, targets: impl FnOnce() -> Targets) -> SymbolId {
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let id = SymbolId(self.keys.len() as u32);
        self.ids.insert(key, id);
        self.keys.push(key);
        self.targets.push(targets());
        id
    }

    pub fn key(&self, id: SymbolId) -> SymbolKey {
        self.keys[id.0 as usize]
    }

    /// The function where the named value came to be.
    pub fn named_in(&self, id: SymbolId) -> Option<FunctionId> {
        match self.key(id) {
            SymbolKey::Defined(of, ..)
            | SymbolKey::Joined(of, ..)
            | SymbolKey::Parameter(of, _)
            | SymbolKey::Result(of, ..) => Some(of),
            SymbolKey::Extended(inner, ..) => self.named_in(inner),
            SymbolKey::Content(Base::Symbol(inner), ..) => self.named_in(inner),
            SymbolKey::Content(..) | SymbolKey::Argument(_) => None,
        }
    }

    /// What a value with this base may point into, at the base itself.
    pub fn targets_of(&self, base: Base) -> Targets {
        match base {
            Base::Object(object) | Base::ThreadLocal(object) | Base::Instance(object) => {
                Targets::of(Target { object, offset: 0 })
            }
            Base::Symbol(symbol) => self.targets[symbol.0 as usize].clone(),
        }
    }

    pub fn targets(&self, address: Address) -> Targets {
        let base = self.targets_of(address.base);
        match address.index {
            Some(_) => base.anywhere(),
            None => base.map(|target| target.moved(address.offset)),
        }
    }

    /// Whether the name says something about what `dead` named.
    pub fn mentions(&self, symbol: SymbolId, dead: Base) -> bool {
        if dead == Base::Symbol(symbol) {
            return true;
        }
        match self.key(symbol) {
            SymbolKey::Extended(inner, ..) => self.mentions(inner, dead),
            SymbolKey::Content(base, ..) => self.base_mentions(base, dead),
            _ => false,
        }
    }

    pub fn base_mentions(&self, base: Base, dead: Base) -> bool {
        base == dead || matches!(base, Base::Symbol(symbol) if self.mentions(symbol, dead))
    }

    pub fn address_mentions(&self, address: Address, dead: Base) -> bool {
        self.base_mentions(address.base, dead)
            || address.index.is_some_and(|(_, symbol)| self.mentions(symbol, dead))
    }

    /// Whether the name is of a content that a write to these places may change.
    pub fn is_content_of(&self, base: Base, written: &Targets, length: i64) -> bool {
        let Base::Symbol(symbol) = base else { return false };
        match self.key(symbol) {
            SymbolKey::Extended(inner, ..) => self.is_content_of(Base::Symbol(inner), written, length),
            SymbolKey::Content(of, offset, bytes) => {
                let cell = self.targets_of(of).map(|target| target.moved(offset));
                overlap(&cell, bytes as i64, written, length) || self.is_content_of(of, written, length)
            }
            _ => false,
        }
    }

    /// How many contents lie in each other.
    pub fn is_deep(&self, base: Base) -> bool {
        fn depth(symbols: &Symbols, base: Base) -> u32 {
            let Base::Symbol(symbol) = base else { return 0 };
            match symbols.key(symbol) {
                SymbolKey::Content(of, ..) => 1 + depth(symbols, of),
                SymbolKey::Extended(inner, ..) => 1 + depth(symbols, Base::Symbol(inner)),
                _ => 0,
            }
        }
        depth(self, base) >= DEPTH
    }
}

/// Whether two sets of places, with lengths in bytes, may have a byte in common. Unknown addresses are not considered.
pub fn overlap(a: &Targets, a_length: i64, b: &Targets, b_length: i64) -> bool {
    a.iter().any(|x| b.iter().any(|y| meet(x, a_length, y, b_length)))
}

pub fn meet(x: Target, x_length: i64, y: Target, y_length: i64) -> bool {
    let (from, to) = (x.offset as i64, y.offset as i64);
    x.object == y.object
        && (x.offset == ANYWHERE
            || y.offset == ANYWHERE
            || (from < to.saturating_add(y_length) && to < from.saturating_add(x_length)))
}
