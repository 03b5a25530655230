// what: fences and the explicit forms of atomic_flag
// expect: assert=ok
#include <assert.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
    assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_seq_cst));
    assert(atomic_flag_test_and_set(&flag));
    atomic_flag_clear_explicit(&flag, memory_order_seq_cst);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    assert(!atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    return 0;
}
