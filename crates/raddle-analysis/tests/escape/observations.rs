//! Addresses whose bits decide what happens next.

use super::check;

#[test]
fn an_address_that_is_observed_lets_escape() {
    check(
        "global g: ptr
function main() {
bb0:
    load.ptr r0 = [&g]                      // private
    alloca r1 = 4
    store.i32 [r1] = 1                      // private
    eq.ptr r2 = r1, null
    alloca r3 = 4
    ult.ptr r2 = r1, r3
    store.i32 [r3] = 1                      // private
    pointer_to_int.i64.i64 r4 = r1
    pointer_to_int.i64.i64 r5 = r3
    sub.i64 r6 = r4, r5
    alloca r7 = 4
    pointer_to_int.i64.i64 r8 = r7
    and.i64 r8 = r8, 1
    store.i32 [r7] = 1                      // visible
    alloca r9 = 4
    ult.ptr r2 = r9, r0
    store.i32 [r9] = 1                      // visible
    alloca r10 = 4
    pointer_to_int.i64.i8 r11 = r10
    store.i32 [r10] = 1                     // visible
    return
}",
    );
}
