//! The only `unsafe` code of this crate: a hint that some bytes will be read soon.

/// Prefetches the cache line of something.
#[inline]
pub fn prefetch<T>(item: &T) {
    ask(std::ptr::from_ref(item) as usize);
}

#[inline]
fn ask(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // A prefetch has no observable effect and never faults, whatever the address is.
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
        prefetch(&7);
        ask(0);
        ask(usize::MAX / 2);
    }
}
