//! The abstract state of one thread at one place: what its registers hold, which locks it surely holds, which children may
//! run, which objects only it can reach, and the cells of memory whose content is known.
//!
//! States are joined where paths meet: locks and private objects by intersection, children by union, values to a new symbol
//! where they differ. A pointer to a private object that is in two registers of which only one survives stays private; one
//! whose name is lost in a join does not.

use std::collections::BTreeMap;

use raddle_analysis::{ObjectIndex, Target, Targets};
use raddle_ir::FunctionId;

use crate::threads::Child;
use crate::value::{Address, Base, Symbols, Value, meet};

/// Where a lock is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockPlace {
    /// In an object that has one instance.
    At(ObjectIndex, i32),
    /// By the name of its address.
    Named(Address),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HeldLock {
    pub place: LockPlace,
    pub shared: bool,
    /// How often at least.
    pub count: u8,
}

/// All but the registers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct World {
    /// Ascending by place.
    pub locks: Vec<HeldLock>,
    /// How many atomic sections of the user, at least.
    pub sections: u8,
    /// In a kernel section.
    pub in_section: bool,
    /// Ascending.
    pub children: Vec<Child>,
    /// How often calls created threads; ascending by call.
    pub created: Vec<((FunctionId, u32), u8)>,
    /// Instances that no other thread can reach. Ascending.
    pub private: Vec<Base>,
    /// Contents with their lengths.
    pub cells: BTreeMap<(Base, i64), (u32, Value)>,
    /// Locks that may have been destroyed. Ascending.
    pub destroyed: Vec<Target>,
    /// Registers of the calls that wait, as far as their values may be forgotten meanwhile.
    pub pinned: Vec<Value>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub registers: Vec<Value>,
    pub world: World,
}

impl World {
    pub fn is_private(&self, base: Base) -> bool {
        self.private.binary_search(&base).is_ok()
    }

    pub fn make_private(&mut self, base: Base) {
        if let Err(at) = self.private.binary_search(&base) {
            self.private.insert(at, base);
        }
    }

    /// Other threads may reach what the value points to.
    pub fn leak(&mut self, value: Value) {
        if let Some(base) = value.base()
            && let Ok(at) = self.private.binary_search(&base)
        {
            self.private.remove(at);
        }
    }

    pub fn add_child(&mut self, child: Child) {
        if let Err(at) = self.children.binary_search(&child) {
            self.children.insert(at, child);
        }
    }

    /// The name is given again: what it named before is forgotten.
    pub fn forget(&mut self, symbols: &Symbols, dead: Base) {
        self.locks.retain(|lock| match lock.place {
            LockPlace::Named(address) => !symbols.address_mentions(address, dead),
            LockPlace::At(..) => true,
        });
        self.private.retain(|base| !symbols.base_mentions(*base, dead));
        for value in &mut self.pinned {
            if value_mentions(symbols, *value, dead) {
                *value = Value::Unknown;
            }
        }
        if !self.cells.is_empty() {
            self.cells.retain(|(base, _), (_, value)| {
                !symbols.base_mentions(*base, dead) && !value_mentions(symbols, *value, dead)
            });
        }
    }

    /// A write to these places: cells and names of contents that may be in them are forgotten.
    pub fn forget_contents(&mut self, symbols: &Symbols, written: &Targets, length: i64) {
        let changed = |base: Base| symbols.is_content_of(base, written, length);
        self.locks.retain(
            |lock| !matches!(lock.place, LockPlace::Named(a) if is_changed(symbols, a, written, length)),
        );
        self.private.retain(|base| !changed(*base));
        for value in &mut self.pinned {
            if matches!(value, Value::Address(address) if is_changed(symbols, *address, written, length)) {
                *value = Value::Unknown;
            }
        }
        self.cells.retain(|(base, offset), (bytes, value)| {
            let cell = symbols.targets_of(*base).map(|target| target.moved(*offset));
            let hit = cell.iter().any(|x| written.iter().any(|y| meet(x, *bytes as i64, y, length)));
            !hit && !changed(*base)
                && !matches!(value, Value::Address(address) if is_changed(symbols, *address, written, length))
        });
    }

    /// Gives an instance another name.
    pub fn rename(&mut self, old: Base, new: Base) {
        for lock in &mut self.locks {
            if let LockPlace::Named(address) = &mut lock.place
                && address.base == old
            {
                address.base = new;
            }
        }
        self.locks.sort_unstable();
        if let Ok(at) = self.private.binary_search(&old) {
            self.private.remove(at);
            self.make_private(new);
        }
        for value in &mut self.pinned {
            if let Value::Address(address) = value
                && address.base == old
            {
                address.base = new;
            }
        }
        let moved: Vec<((Base, i64), (u32, Value))> = std::mem::take(&mut self.cells).into_iter().collect();
        for ((base, offset), (bytes, mut value)) in moved {
            if let Value::Address(address) = &mut value
                && address.base == old
            {
                address.base = new;
            }
            self.cells.insert((if base == old { new } else { base }, offset), (bytes, value));
        }
    }

    /// What two paths agree on; true if `self` changed.
    pub fn join(&mut self, other: &World) -> bool {
        let before = self.clone();
        let theirs = |lock: &HeldLock| other.locks.iter().find(|l| l.place == lock.place);
        self.locks = self
            .locks
            .iter()
            .filter_map(|lock| {
                let their = theirs(lock)?;
                let (shared, count) = (lock.shared || their.shared, lock.count.min(their.count));
                Some(HeldLock { place: lock.place, shared, count })
            })
            .collect();
        self.sections = self.sections.min(other.sections);
        self.in_section &= other.in_section;
        other.children.iter().for_each(|child| self.add_child(*child));
        for (site, count) in &other.created {
            match self.created.binary_search_by_key(site, |(s, _)| *s) {
                Ok(at) if self.created[at].1 != *count => self.created[at].1 = u8::MAX,
                Ok(_) => {}
                Err(at) => self.created.insert(at, (*site, u8::MAX)),
            }
        }
        let theirs =
            |site| other.created.binary_search_by_key(site, |(s, _): &((FunctionId, u32), u8)| *s).is_ok();
        for (site, count) in &mut self.created {
            if !theirs(site) {
                *count = u8::MAX;
            }
        }
        for i in 0..self.pinned.len() {
            if other.pinned.get(i) != Some(&self.pinned[i]) {
                self.leak(self.pinned[i]);
                self.pinned[i] = Value::Unknown;
            }
        }
        self.private.retain(|base| other.is_private(*base));
        // A pointer whose name only the other path has.
        for value in &other.pinned {
            if !self.pinned.contains(value) {
                self.leak(*value);
            }
        }
        self.cells.retain(|key, content| other.cells.get(key) == Some(content));
        for target in &other.destroyed {
            if let Err(at) = self.destroyed.binary_search(target) {
                self.destroyed.insert(at, *target);
            }
        }
        *self != before
    }
}

pub fn value_mentions(symbols: &Symbols, value: Value, dead: Base) -> bool {
    matches!(value, Value::Address(address) if symbols.address_mentions(address, dead))
}

pub fn is_changed(symbols: &Symbols, address: Address, written: &Targets, length: i64) -> bool {
    symbols.is_content_of(address.base, written, length)
        || address.index.is_some_and(|(_, s)| symbols.is_content_of(Base::Symbol(s), written, length))
}

impl State {
    /// The name is given again: what it named before is forgotten, also in registers.
    pub fn forget(&mut self, symbols: &Symbols, dead: Base) {
        for value in &mut self.registers {
            if value_mentions(symbols, *value, dead) {
                *value = Value::Unknown;
            }
        }
        self.world.forget(symbols, dead);
    }

    pub fn forget_contents(&mut self, symbols: &Symbols, written: &Targets, length: i64) {
        for value in &mut self.registers {
            if matches!(value, Value::Address(address) if is_changed(symbols, *address, written, length)) {
                *value = Value::Unknown;
            }
        }
        self.world.forget_contents(symbols, written, length);
    }
}
