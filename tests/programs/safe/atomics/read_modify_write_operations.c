// what: exchange, fetch_sub, or, and, xor, and the old __sync builtins, in one thread
// expect: assert=ok
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

int main(void) {
    atomic_uint x = 12;
    _Atomic unsigned char small = 250;
    int old = 5;
    assert(atomic_exchange(&x, 10) == 12);
    assert(atomic_fetch_sub(&x, 3) == 10 && x == 7);
    assert(atomic_fetch_or(&x, 8) == 7 && x == 15);
    assert(atomic_fetch_and(&x, 6) == 15 && x == 6);
    assert(atomic_fetch_xor(&x, 5) == 6 && x == 3);
    small += 10;
    assert(small == 4);
    assert(__sync_fetch_and_add(&old, 2) == 5 && __sync_add_and_fetch(&old, 1) == 8);
    assert(__sync_bool_compare_and_swap(&old, 8, 1) && __sync_val_compare_and_swap(&old, 7, 9) == 1);
    unsigned expected = 4;
    assert(!atomic_compare_exchange_strong(&x, &expected, 9) && expected == 3);
    __sync_synchronize();
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
