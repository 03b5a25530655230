//! Four-byte addresses, for ILP32: each thread has a range of its own, so that they do not depend on the schedule.

/// The next four-byte address of a thread, in a range of its own: 512 MiB for main, 16 MiB for its first children,
/// 640 KiB for others. When the range is used up it begins anew, and `crowded` says so.
#[inline]
pub(crate) fn take_address32(thread: u32, next: &mut u32, size: u32, crowded: &mut bool) -> u32 {
    let (start, room) = match thread {
        1 => (FIRST_ADDRESS, 1 << 29),
        2..32 => (0x3000_0000 + (thread - 2) * (1 << 24), 1 << 24),
        _ => (0x4e00_0000 + (thread - 32) * 0xa_0000, 0xa_0000),
    };
    let take = (size + 16).next_multiple_of(16);
    if *next + take > room {
        *next = 0;
        *crowded = true;
    }
    let address = start + *next;
    *next = (*next + take).min(room);
    address
}

/// ILP32: the first address of main's objects; globals lie below.
pub(crate) const FIRST_ADDRESS: u32 = 0x1000_0000;

pub(crate) const CROWDED: &str = "ILP32 address space exhausted and the program observes addresses; try \
                                  --data-model LP64";
