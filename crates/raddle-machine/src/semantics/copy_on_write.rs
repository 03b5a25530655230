//! Copy on write, with the `unsafe` code for it: a shared value that is copied when it is written.
//!
//! `Arc::make_mut` reads an atomic counter at every write, which costs more than the write. Here each handle records
//! whether it is the only one: `owned` is true only between the creation (or copy) of the value by this handle and
//! the first clone of this handle. The invariant: `owned` implies that no other handle to the same allocation exists.
//! Cloning clears the flag of the original (through a `Cell`) and of the copy. The type is `Send` but not `Sync`, so
//! no clone can happen in another thread while this one writes.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;

pub struct Shared<T> {
    value: Arc<T>,
    owned: Cell<bool>,
}

impl<T: Clone> Shared<T> {
    pub fn new(value: T) -> Self {
        Shared { value: Arc::new(value), owned: Cell::new(true) }
    }

    /// The value for writing; copied first if another handle may exist.
    #[inline(always)]
    pub fn write(&mut self) -> &mut T {
        if !self.owned.get() {
            self.unshare();
        }
        // SAFETY: `owned` holds, so this handle is the only one to the allocation, and `&mut self` excludes every
        // other use of this handle. No `Weak` is ever made.
        #[allow(unsafe_code)]
        unsafe {
            &mut *(Arc::as_ptr(&self.value) as *mut T)
        }
    }

    #[cold]
    fn unshare(&mut self) {
        if Arc::get_mut(&mut self.value).is_none() {
            self.value = Arc::new((*self.value).clone());
        }
        self.owned.set(true);
    }

    /// Whether two handles share one allocation (then the values are equal).
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.value, &other.value)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        self.owned.set(false);
        Shared { value: self.value.clone(), owned: Cell::new(false) }
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_never_sees_a_later_write() {
        let mut a = Shared::new(vec![1]);
        a.write().push(2);
        let mut b = a.clone();
        a.write().push(3);
        b.write().push(4);
        let c = b.clone();
        b.write().push(5);
        assert_eq!((&*a, &*b, &*c), (&vec![1, 2, 3], &vec![1, 2, 4, 5], &vec![1, 2, 4]));
    }

    #[test]
    fn ownership_returns_when_the_other_handle_is_gone() {
        let mut a = Shared::new(1u32);
        let b = a.clone();
        assert!(a.same(&b));
        drop(b);
        *a.write() += 1;
        let p = &*a as *const u32;
        *a.write() += 1;
        assert_eq!(p, &*a as *const u32);
        assert_eq!(*a, 3);
    }
}
