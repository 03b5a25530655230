//! The functions that random programs call, as text of the IR.

/// Locks, joins and waits as library models make them: by kernel sections, events and markers. There are two kinds of
/// locks: `lock` queries which thread holds it, `lock_word` keeps the owner in its bytes.
pub const LIBRARY: &str = r#"
function lock(r0: ptr) library declares "ordered always" {
bb0:
    r1: i32 = call @raddle_mutex_lock(r0, 0:i32)
    return
}
function pthread_mutex_trylock(r0: ptr) -> 1 library declares "ordered 0" {
bb0:
    r1: i32 = call @raddle_mutex_lock(r0, 1:i32)
    return r1
}
function raddle_mutex_lock(r0: ptr, r1: i32) -> 1 library {
bb0:
    kernel.begin
    r2: i32 = kernel.held r0
    eq.i32 r3 = r2, 0
    branch r3, bb4, bb1
bb1:
    eq.i32 r4 = r1, 0
    branch r4, bb2, bb3
bb2:
    kernel.block 1:i32, r0, 0:i32
    unreachable
bb3:
    kernel.end
    return 16:i32
bb4:
    kernel.event 1:i32, r0
    kernel.acquire r0, 0:i32
    kernel.end
    return 0:i32
}
function raddle_cond_wait(r0: ptr, r1: ptr, r2: i32) library declares "retakes 1 like raddle_mutex_lock 0" {
bb0:
    kernel.begin
    kernel.release r1, 0:i32
    kernel.event 3:i32, r1
    kernel.end
    jump bb1
bb1:
    kernel.begin
    r3: i32 = kernel.held r1
    eq.i32 r4 = r3, 0
    branch r4, bb3, bb2
bb2:
    kernel.block 4:i32, r0, 0:i32
    unreachable
bb3:
    load.i32 r5 = [r0]
    eq.i32 r6 = r5, 0
    branch r6, bb4, bb5
bb4:
    kernel.pause 4:i32, r0, 0:i32, 1:i32
    jump bb6
bb5:
    store.i32 [r0] = 0
    jump bb6
bb6:
    kernel.event 1:i32, r1
    kernel.acquire r1, 0:i32
    kernel.end
    return
}
function unlock(r0: ptr) library declares "ordered always" {
bb0:
    kernel.begin
    kernel.release r0, 0:i32
    kernel.event 3:i32, r0
    kernel.end
    return
}
function lock_word(r0: ptr) library declares "ordered always" {
bb0:
    call @pthread_spin_lock(r0)
    return
}
function pthread_spin_lock(r0: ptr) library {
bb0:
    kernel.begin
    load.i32 r1 = [r0]
    eq.i32 r2 = r1, 0
    branch r2, bb2, bb1
bb1:
    kernel.block 1:i32, r0, r1
    unreachable
bb2:
    r3: i32 = kernel.self
    store.i32 [r0] = r3
    kernel.event 1:i32, r0
    kernel.acquire r0, 0:i32
    kernel.end
    return
}
function unlock_word(r0: ptr) library declares "ordered always" {
bb0:
    kernel.begin
    store.i32 [r0] = 0:i32
    kernel.release r0, 0:i32
    kernel.event 3:i32, r0
    kernel.end
    return
}
function holds(r0: ptr) -> 1 library declares "ordered always" {
bb0:
    kernel.begin
    r1: i32 = kernel.holds r0
    kernel.end
    return r1
}
function raise(r0: ptr, r1: i32) library declares "ordered always" {
bb0:
    kernel.begin
    store.i32 [r0] = r1
    kernel.release r0, 5:i32
    kernel.end
    return
}
function await(r0: ptr, r1: i32) library declares "ordered always" {
bb0:
    kernel.begin
    load.i32 r2 = [r0]
    eq.i32 r3 = r2, r1
    branch r3, bb2, bb1
bb1:
    kernel.block 9:i32, r0, 0:i32
    unreachable
bb2:
    kernel.acquire r0, 5:i32
    kernel.end
    return
}
function wait(r0: ptr) library {
bb0:
    kernel.begin
    load.i32 r1 = [r0]
    eq.i32 r2 = r1, 0
    branch r2, bb1, bb2
bb1:
    kernel.pause 4:i32, r0, 0:i32, 1:i32
    kernel.end
    return
bb2:
    store.i32 [r0] = 0
    kernel.end
    return
}
function signal(r0: ptr) library {
bb0:
    kernel.begin
    store.i32 [r0] = 1
    kernel.end
    return
}
function done(r0: ptr) library declares "ordered always" {
bb0:
    kernel.begin
    kernel.release r0, 7:i32
    kernel.end
    return
}
function join(r0: i32, r1: ptr) library declares "ordered always" {
bb0:
    kernel.begin
    r2: i32 = kernel.finished r0
    eq.i32 r3 = r2, 1
    branch r3, bb2, bb1
bb1:
    kernel.block 7:i32, null, r0
    unreachable
bb2:
    kernel.acquire r1, 7:i32
    kernel.end
    return
}
function start(r0: ptr, r1: ptr) -> 1 library declares "ordered always" {
bb0:
    kernel.begin
    r2: i32 = kernel.spawn r0, r1
    kernel.end
    return r2
}
"#;

/// Wide atomics as library models make them, and accesses that only some programs have: in the text when one of them is
/// called.
pub(super) const MEMORY: &str = r#"
function wide_store(r0: i32) library {
bb0:
    kernel.begin
    store.i32 [&w] = r0
    store.i32 [&w+12] = r0
    kernel.atomic &w, 16:i64, 1:i32, 5:i32
    kernel.end
    return
}
function wide_load() -> 1 library {
bb0:
    kernel.begin
    load.i32 r0 = [&w+12]
    kernel.atomic &w, 16:i64, 0:i32, 5:i32
    kernel.end
    return r0
}
function wide_exchange(r0: i32, r1: i32) -> 1 library {
bb0:
    r2: i32 = kernel.spurious
    eq.i32 r3 = r2, 0
    kernel.begin
    load.i32 r4 = [&w]
    eq.i32 r5 = r4, r0
    and.i1 r6 = r3, r5
    branch r6, bb1, bb2
bb1:
    store.i32 [&w] = r1
    store.i32 [&w+12] = r1
    kernel.atomic &w, 16:i64, 2:i32, 5:i32
    kernel.end
    return r1
bb2:
    kernel.atomic &w, 16:i64, 3:i32, 5:i32
    kernel.end
    return r4
}
function wide_part_write(r0: i32) {
bb0:
    store.i32 [&w+12] = r0
    return
}
function wide_part_read() -> 1 {
bb0:
    load.i32 r0 = [&w+12]
    return r0
}
function crossing_write(r0: i32) {
bb0:
    zero_extend.i32.i64 r1 = r0
    mul.i64 r1 = r1, 4294967297
    store.i64 [&b+4] = r1
    return
}
function crossing_read() -> 1 {
bb0:
    load.i64 r0 = [&b+4]
    lshr.i64 r1 = r0, 32
    xor.i64 r1 = r0, r1
    truncate.i64.i32 r2 = r1
    return r2
}
function look(r0: ptr) -> 1 {
bb0:
    pointer_to_int.i64.i64 r1 = r0
    lshr.i64 r2 = r1, 28
    lshr.i64 r3 = r1, 52
    xor.i64 r2 = r2, r3
    and.i64 r2 = r2, 1
    truncate.i64.i32 r4 = r2
    return r4
}
function look_with_reuse(r0: ptr) -> 1 {
bb0:
    r1: i32 = call @look(r0)
    return r1
}
"#;
