//! The stack and heap objects of a state, found by name.
//!
//! Objects lie side by side in a vector, in no particular order; a hash table says where each is. Since a program
//! accesses the same few objects again and again, a small direct-mapped table of hints (where an object with such a
//! name was last found) is tried before the hash table. A hint may be stale: the name beside the object decides.

use rustc_hash::FxHashMap;

use crate::semantics::copy_on_write::Shared;
use crate::semantics::object::Object;
use crate::semantics::pointer::ObjectId;

const HINTS: usize = 32;

#[derive(Clone, Debug)]
struct Slot {
    id: ObjectId,
    object: Shared<Object>,
}

#[derive(Clone, Debug, Default)]
pub struct Objects {
    slots: Vec<Slot>,
    /// Where each object lies in `slots`.
    places: FxHashMap<ObjectId, u32>,
    /// By the lowest bits of the name: where such an object was last found.
    hints: [u32; HINTS],
}

#[inline(always)]
fn hint_of(id: ObjectId) -> usize {
    id.0 as usize % HINTS
}

impl Objects {
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    #[inline(always)]
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        match self.slots.get(self.hints[hint_of(id)] as usize) {
            Some(slot) if slot.id == id => Some(&slot.object),
            _ => self.places.get(&id).map(|place| &*self.slots[*place as usize].object),
        }
    }

    /// As `get`; the next search for the same object will be short.
    #[inline(always)]
    pub fn find(&mut self, id: ObjectId) -> Option<&Object> {
        let place = self.place(id)?;
        Some(&self.slots[place].object)
    }

    /// The object for writing.
    #[inline(always)]
    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let place = self.place(id)?;
        Some(self.slots[place].object.write())
    }

    #[inline(always)]
    fn place(&mut self, id: ObjectId) -> Option<usize> {
        let hint = self.hints[hint_of(id)] as usize;
        match self.slots.get(hint) {
            Some(slot) if slot.id == id => Some(hint),
            _ => self.search(id),
        }
    }

    #[inline(never)]
    fn search(&mut self, id: ObjectId) -> Option<usize> {
        let place = *self.places.get(&id)?;
        self.hints[hint_of(id)] = place;
        Some(place as usize)
    }

    /// Adds an object; names are never given twice.
    pub fn insert(&mut self, id: ObjectId, object: Object) {
        let place = self.slots.len() as u32;
        self.slots.push(Slot { id, object: Shared::new(object) });
        self.places.insert(id, place);
        self.hints[hint_of(id)] = place;
    }

    pub fn insert_shared(&mut self, id: ObjectId, object: Shared<Object>) {
        let place = self.slots.len() as u32;
        self.slots.push(Slot { id, object });
        self.places.insert(id, place);
    }

    pub fn shared(&self, id: ObjectId) -> Option<&Shared<Object>> {
        match self.slots.get(self.hints[hint_of(id)] as usize) {
            Some(slot) if slot.id == id => Some(&slot.object),
            _ => self.places.get(&id).map(|place| &self.slots[*place as usize].object),
        }
    }

    pub fn remove(&mut self, id: ObjectId) -> bool {
        let Some(place) = self.places.remove(&id) else { return false };
        self.slots.swap_remove(place as usize);
        // The last object lies there now, unless the removed one was the last.
        if let Some(moved) = self.slots.get(place as usize) {
            self.places.insert(moved.id, place);
        }
        true
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.slots.iter().map(|slot| (slot.id, &*slot.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::object::ObjectKind;

    #[test]
    fn objects_are_found_wherever_they_were_moved() {
        let id = |n: u32| ObjectId::stack(1, n);
        let mut objects = Objects::default();
        for n in 0..100 {
            objects.insert(id(n), Object::new(ObjectKind::Internal, n, true));
        }
        for n in (0..100).step_by(3) {
            assert!(objects.remove(id(n)));
            assert!(!objects.remove(id(n)));
        }
        for n in 0..100 {
            let size = (n % 3 != 0).then_some(n);
            assert_eq!(objects.get(id(n)).map(Object::size), size);
            assert_eq!(objects.get_mut(id(n)).map(|o| o.size()), size);
            assert_eq!(objects.find(id(n)).map(Object::size), size);
        }
        assert_eq!(objects.iter().count(), objects.len());
    }
}
