//! Names: every identifier and string of a module, stored once.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name; equal names of one module have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table behind [`Symbol`].
#[derive(Default, Debug)]
pub struct Names {
    texts: Vec<Arc<str>>,
    index: FxHashMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of `text`, made now if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.index.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let shared: Arc<str> = Arc::from(text);
        self.texts.push(shared.clone());
        self.index.insert(shared, symbol);
        symbol
    }

    /// The symbol of `text`, if the module has it.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.index.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", |t| t)
    }

    /// The text of a symbol, shared.
    pub fn shared(&self, symbol: Symbol) -> Arc<str> {
        self.texts.get(symbol.0 as usize).cloned().unwrap_or_else(|| Arc::from(""))
    }
}
