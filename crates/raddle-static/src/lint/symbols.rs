//! Names of values: paths from globals, locals, heap blocks and parameters through members, elements and loads, as the
//! locks and guards of the lint are named (`q->lock` guards `q->count`).
//!
//! Two equal names are taken for one value; where that is not so in every run, a *changing* part is in the name: what a loop
//! binds anew, or a number that was read. The lint is neither sound nor complete: a load is named by its address, whether
//! or not another thread stores there.

use raddle_ir::{BlockId, CTypeId, CompareOp, FunctionId, GlobalId, Register};
use rustc_hash::FxHashMap;

/// A name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

impl Symbol {
    /// Some value.
    pub const UNKNOWN: Symbol = Symbol(0);
}

/// What a name is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    Unknown,
    Number(u64),
    Function(FunctionId),
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// A stack object, by its `alloca`.
    Local(FunctionId, u32),
    /// A heap block, by the call that returns it.
    Heap(FunctionId, u32),
    /// A parameter of a function that is called with unknown arguments.
    Parameter(FunctionId, u32),
    /// Some bytes behind the start of an address.
    Offset(Symbol, i64),
    Element(Symbol, Symbol, i32),
    /// A pointer that was loaded from an address.
    Load(Symbol),
    /// A number that was read from an address by an instruction.
    Read(Symbol, FunctionId, u32),
    /// What several paths bind to a register.
    Joined(FunctionId, BlockId, Register),
    /// The result of an instruction.
    Result(FunctionId, u32, u32),
    Compare(CompareOp, Symbol, Symbol),
    /// Depends on these values.
    Computed(Vec<Symbol>),
    /// Some object of a structure type, as a class of locks or variables.
    Typed(String),
    /// The atomic sections of the program.
    AtomicSections,
}

struct Entry {
    name: Name,
    /// Parts that may mean another value later.
    changing: Vec<Symbol>,
    depth: u32,
}

/// Names deeper than this are unknown values.
const DEEPEST: u32 = 9;
/// Values that a computed one is known to depend on.
const MOST_SOURCES: usize = 12;

#[derive(Default)]
pub struct Symbols {
    entries: Vec<Entry>,
    ids: FxHashMap<Name, Symbol>,
    /// What type a pointer points to, as declared where it was kept.
    pub pointees: FxHashMap<Symbol, CTypeId>,
}

impl Symbols {
    pub fn new() -> Symbols {
        let mut symbols = Symbols::default();
        symbols.intern(Name::Unknown);
        symbols
    }

    pub fn name(&self, symbol: Symbol) -> &Name {
        &self.entries[symbol.0 as usize].name
    }

    pub fn intern(&mut self, name: Name) -> Symbol {
        if let Some(known) = self.ids.get(&name) {
            return *known;
        }
        let parts = parts(&name);
        let depth = 1 + parts.iter().map(|p| self.entries[p.0 as usize].depth).max().unwrap_or(0);
        if depth > DEEPEST {
            return Symbol::UNKNOWN;
        }
        let symbol = Symbol(self.entries.len() as u32);
        let mut changing: Vec<Symbol> = Vec::new();
        for part in &parts {
            changing.extend(&self.entries[part.0 as usize].changing);
        }
        if matches!(name, Name::Joined(..) | Name::Result(..) | Name::Read(..)) {
            changing.push(symbol);
        }
        changing.sort();
        changing.dedup();
        self.entries.push(Entry { name: name.clone(), changing, depth });
        self.ids.insert(name, symbol);
        symbol
    }

    pub fn number(&mut self, number: u64) -> Symbol {
        self.intern(Name::Number(number))
    }

    pub fn as_number(&self, symbol: Symbol) -> Option<u64> {
        match self.name(symbol) {
            Name::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn offset(&mut self, base: Symbol, bytes: i64) -> Symbol {
        match (self.name(base).clone(), bytes) {
            (Name::Unknown, _) => Symbol::UNKNOWN,
            (_, 0) => base,
            (Name::Offset(inner, before), _) => {
                let sum = before.wrapping_add(bytes);
                if sum == 0 { inner } else { self.intern(Name::Offset(inner, sum)) }
            }
            (Name::Number(number), _) => self.number(number.wrapping_add(bytes as u64)),
            _ => self.intern(Name::Offset(base, bytes)),
        }
    }

    /// The base and the bytes behind it.
    pub fn split(&self, address: Symbol) -> (Symbol, i64) {
        match self.name(address) {
            Name::Offset(base, bytes) => (*base, *bytes),
            _ => (address, 0),
        }
    }

    pub fn computed(&mut self, of: &[Symbol]) -> Symbol {
        let mut sources: Vec<Symbol> = Vec::new();
        for symbol in of {
            match self.name(*symbol) {
                Name::Unknown | Name::Number(_) | Name::Function(_) => {}
                Name::Computed(inner) => sources.extend(inner),
                _ => sources.push(*symbol),
            }
        }
        sources.sort();
        sources.dedup();
        sources.truncate(MOST_SOURCES);
        match sources.is_empty() {
            true => Symbol::UNKNOWN,
            false => self.intern(Name::Computed(sources)),
        }
    }

    /// The parts that may mean another value later.
    pub fn changing(&self, symbol: Symbol) -> &[Symbol] {
        &self.entries[symbol.0 as usize].changing
    }

    /// Whether a name has this changing part.
    pub fn depends(&self, symbol: Symbol, on: Symbol) -> bool {
        symbol == on || self.entries[symbol.0 as usize].changing.binary_search(&on).is_ok()
    }

    /// The object or pointer that a path begins with.
    pub fn root(&self, symbol: Symbol) -> Symbol {
        match self.name(symbol) {
            Name::Offset(base, _) | Name::Element(base, ..) | Name::Load(base) => self.root(*base),
            _ => symbol,
        }
    }

    /// The object that an address lies in: without members and elements.
    pub fn object(&self, address: Symbol) -> Symbol {
        match self.name(address) {
            Name::Offset(base, _) | Name::Element(base, ..) => self.object(*base),
            _ => address,
        }
    }

    /// The values that a value was made of, itself included.
    pub fn sources(&self, symbol: Symbol) -> Vec<Symbol> {
        match self.name(symbol) {
            Name::Computed(of) => of.clone(),
            Name::Compare(_, a, b) => {
                let mut all = self.sources(*a);
                all.extend(self.sources(*b));
                all
            }
            _ => vec![symbol],
        }
    }

    /// The same name with another value in the place of a part.
    pub fn replace(&mut self, symbol: Symbol, part: Symbol, by: Symbol) -> Symbol {
        if symbol == part {
            return by;
        }
        if !self.depends(symbol, part) {
            return symbol;
        }
        match self.name(symbol).clone() {
            Name::Offset(base, bytes) => {
                let base = self.replace(base, part, by);
                self.offset(base, bytes)
            }
            Name::Element(base, index, scale) => {
                let (base, index) = (self.replace(base, part, by), self.replace(index, part, by));
                if base == Symbol::UNKNOWN { base } else { self.intern(Name::Element(base, index, scale)) }
            }
            Name::Load(address) => {
                let address = self.replace(address, part, by);
                if address == Symbol::UNKNOWN { address } else { self.intern(Name::Load(address)) }
            }
            _ => Symbol::UNKNOWN,
        }
    }
}

fn parts(name: &Name) -> Vec<Symbol> {
    match name {
        Name::Offset(base, _) | Name::Load(base) | Name::Read(base, ..) => vec![*base],
        Name::Element(base, index, _) => vec![*base, *index],
        Name::Compare(_, a, b) => vec![*a, *b],
        Name::Computed(of) => of.clone(),
        _ => Vec::new(),
    }
}
