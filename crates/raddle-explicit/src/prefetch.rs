//! The door to `unsafe` of this crate: a hint that some bytes will be read soon.

/// Where something lies. Only ever used as a hint: it may have moved since.
#[derive(Debug, Default)]
pub struct Hint {
    address: std::sync::atomic::AtomicUsize,
}

impl Hint {
    pub fn set<T>(&self, items: &[T]) {
        self.address.store(items.as_ptr() as usize, std::sync::atomic::Ordering::Relaxed);
    }

    /// Asks for the cache line of an item, if the processor has a way to ask.
    #[inline]
    pub fn prefetch<T>(&self, index: usize) {
        let address = self.address.load(std::sync::atomic::Ordering::Relaxed);
        ask(address.wrapping_add(index.wrapping_mul(size_of::<T>())));
    }
}

/// Asks for the cache line of something.
#[inline]
pub fn prefetch<T>(item: &T) {
    ask(std::ptr::from_ref(item) as usize);
}

#[inline]
fn ask(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // A prefetch reads nothing that can be seen and never faults, whatever the address is.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_place_may_be_asked_for() {
        let hint = Hint::default();
        hint.prefetch::<u64>(0);
        hint.set(&[1u64, 2, 3]);
        hint.prefetch::<u64>(1);
        hint.prefetch::<u64>(usize::MAX / 2);
        prefetch(&7);
    }
}
