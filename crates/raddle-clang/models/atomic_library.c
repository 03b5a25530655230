/* Atomic operations that a compiler leaves to a library: the generic ones of any size (__atomic_load and its kin), the
 * sized ones, and the functions of <stdatomic.h>.
 *
 * Sizes 1, 2, 4 and 8 are the machine's own atomic instructions with the order that was given. Any other size is one
 * section, marked as one atomic access of that size and order. What the caller's other pointers refer to (the result,
 * the expected and the desired value) is read before it and written after it, by plain accesses.
 *
 * The call that a compiler makes for a weak compare-exchange of more than 16 bytes is that of the strong one, as in
 * libatomic: it does not fail spuriously.
 */
#include "model.h"

/* A failed exchange never releases, and its order must be one of a load. */
static int load_order(int order) {
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

/* -- the machine's own sizes ------------------------------------------------------------------------------------ */

#define SIZED(n, type) \
    static type load_##n(const volatile void *object, int order) { \
        return __atomic_load_n((const volatile type *)object, load_order(order)); \
    } \
    static void store_##n(volatile void *object, type value, int order) { \
        __atomic_store_n((volatile type *)object, value, order); \
    } \
    static type exchange_##n(volatile void *object, type value, int order) { \
        return __atomic_exchange_n((volatile type *)object, value, order); \
    } \
    static _Bool compare_##n(volatile void *object, void *expected, type desired, int success, int failure) { \
        return __atomic_compare_exchange_n((volatile type *)object, (type *)expected, desired, 0, success, \
                                           load_order(failure)); \
    } \
    type __atomic_load_##n(const volatile void *object, int order) { return load_##n(object, order); } \
    void __atomic_store_##n(volatile void *object, type value, int order) { store_##n(object, value, order); } \
    type __atomic_exchange_##n(volatile void *object, type value, int order) { \
        return exchange_##n(object, value, order); \
    } \
    _Bool __atomic_compare_exchange_##n(volatile void *object, void *expected, type desired, int success, \
                                        int failure) { \
        return compare_##n(object, expected, desired, success, failure); \
    } \
    type __atomic_fetch_add_##n(volatile void *object, type value, int order) { \
        return __atomic_fetch_add((volatile type *)object, value, order); \
    } \
    type __atomic_fetch_sub_##n(volatile void *object, type value, int order) { \
        return __atomic_fetch_sub((volatile type *)object, value, order); \
    } \
    type __atomic_fetch_and_##n(volatile void *object, type value, int order) { \
        return __atomic_fetch_and((volatile type *)object, value, order); \
    } \
    type __atomic_fetch_or_##n(volatile void *object, type value, int order) { \
        return __atomic_fetch_or((volatile type *)object, value, order); \
    } \
    type __atomic_fetch_xor_##n(volatile void *object, type value, int order) { \
        return __atomic_fetch_xor((volatile type *)object, value, order); \
    } \
    type __atomic_fetch_nand_##n(volatile void *object, type value, int order) { \
        return __atomic_fetch_nand((volatile type *)object, value, order); \
    } \
    type __atomic_add_fetch_##n(volatile void *object, type value, int order) { \
        return __atomic_add_fetch((volatile type *)object, value, order); \
    } \
    type __atomic_sub_fetch_##n(volatile void *object, type value, int order) { \
        return __atomic_sub_fetch((volatile type *)object, value, order); \
    }
SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)

/* -- any size --------------------------------------------------------------------------------------------------- */

/* These names are builtins of another form to the compiler: only their symbols bear them. */
void generic_load(size_t size, const volatile void *object, void *result, int order) __asm__("__atomic_load");
void generic_store(size_t size, volatile void *object, void *value, int order) __asm__("__atomic_store");
void generic_exchange(size_t size, volatile void *object, void *value, void *result, int order)
    __asm__("__atomic_exchange");
_Bool generic_compare(size_t size, volatile void *object, void *expected, void *desired, int success, int failure)
    __asm__("__atomic_compare_exchange");
_Bool generic_is_lock_free(size_t size, const volatile void *object) __asm__("__atomic_is_lock_free");

/* Keeps pointers and indeterminate bytes as they are. No function: one set of targets would serve all calls of it, and
 * copies between a caller's own variables would be steps. */
#define copy(target, source, size) __builtin_memcpy((void *)(target), (const void *)(source), size)

/* __atomic_load: any size; by the machine's own instruction where there is one */
void generic_load(size_t size, const volatile void *object, void *result, int order) {
    switch (size) {
    case 1: *(uint8_t *)result = load_1(object, order); return;
    case 2: *(uint16_t *)result = load_2(object, order); return;
    case 4: *(uint32_t *)result = load_4(object, order); return;
    case 8: *(uint64_t *)result = load_8(object, order); return;
    }
    char value[size];
    __raddle_begin();
    copy(value, object, size);
    __raddle_atomic((const void *)object, size, RADDLE_ATOMIC_READ, load_order(order));
    __raddle_end();
    copy(result, value, size);
}

/* __atomic_store: any size; by the machine's own instruction where there is one */
void generic_store(size_t size, volatile void *object, void *value, int order) {
    switch (size) {
    case 1: store_1(object, *(uint8_t *)value, order); return;
    case 2: store_2(object, *(uint16_t *)value, order); return;
    case 4: store_4(object, *(uint32_t *)value, order); return;
    case 8: store_8(object, *(uint64_t *)value, order); return;
    }
    char after[size];
    copy(after, value, size);
    __raddle_begin();
    copy(object, after, size);
    __raddle_atomic((const void *)object, size, RADDLE_ATOMIC_WRITE, order);
    __raddle_end();
}

/* __atomic_exchange: any size; by the machine's own instruction where there is one */
void generic_exchange(size_t size, volatile void *object, void *value, void *result, int order) {
    switch (size) {
    case 1: *(uint8_t *)result = exchange_1(object, *(uint8_t *)value, order); return;
    case 2: *(uint16_t *)result = exchange_2(object, *(uint16_t *)value, order); return;
    case 4: *(uint32_t *)result = exchange_4(object, *(uint32_t *)value, order); return;
    case 8: *(uint64_t *)result = exchange_8(object, *(uint64_t *)value, order); return;
    }
    char before[size], after[size];
    copy(after, value, size);
    __raddle_begin();
    copy(before, object, size);
    copy(object, after, size);
    __raddle_atomic((const void *)object, size, RADDLE_ATOMIC_UPDATE, order);
    __raddle_end();
    copy(result, before, size);
}

/* __atomic_compare_exchange: any size, strong; by the machine's own instruction where there is one */
_Bool generic_compare(size_t size, volatile void *object, void *expected, void *desired, int success, int failure) {
    switch (size) {
    case 1: return compare_1(object, expected, *(uint8_t *)desired, success, failure);
    case 2: return compare_2(object, expected, *(uint16_t *)desired, success, failure);
    case 4: return compare_4(object, expected, *(uint32_t *)desired, success, failure);
    case 8: return compare_8(object, expected, *(uint64_t *)desired, success, failure);
    }
    char before[size], wanted[size], after[size];
    copy(wanted, expected, size);
    copy(after, desired, size);
    __raddle_begin();
    int equal = __raddle_same((const void *)object, wanted, size);
    copy(before, object, size);
    if (equal) copy(object, after, size);
    __raddle_atomic((const void *)object, size, equal ? RADDLE_ATOMIC_UPDATE : RADDLE_ATOMIC_EXCHANGE_FAILED,
                    equal ? success : load_order(failure));
    __raddle_end();
    if (!equal) copy(expected, before, size);
    return equal;
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 uint128_t;

/* __atomic_load_16: one section */
uint128_t __atomic_load_16(const volatile void *object, int order) {
    uint128_t result;
    generic_load(16, object, &result, order);
    return result;
}

/* __atomic_store_16: one section */
void __atomic_store_16(volatile void *object, uint128_t value, int order) {
    generic_store(16, object, &value, order);
}

/* __atomic_exchange_16: one section */
uint128_t __atomic_exchange_16(volatile void *object, uint128_t value, int order) {
    uint128_t result;
    generic_exchange(16, object, &value, &result, order);
    return result;
}

/* __atomic_compare_exchange_16: one section, strong */
_Bool __atomic_compare_exchange_16(volatile void *object, void *expected, uint128_t desired, int success,
                                   int failure) {
    return generic_compare(16, object, expected, &desired, success, failure);
}
#endif

/* __atomic_is_lock_free: up to 8 bytes that lie in one aligned word */
_Bool generic_is_lock_free(size_t size, const volatile void *object) {
    if (size == 0 || size > 8) return size == 0;
    size_t offset = (uintptr_t)object & 7;
    /* As libatomic: an object is lock-free where an aligned word of the machine holds it. */
    return size <= 4 && (offset & 3) + size <= 4 ? 1 : offset + size <= 8;
}

/* -- the functions of <stdatomic.h> ----------------------------------------------------------------------------- */

struct atomic_flag { _Bool value; };

/* atomic_flag_test_and_set: seq_cst */
_Bool atomic_flag_test_and_set(volatile struct atomic_flag *flag) {
    return __atomic_test_and_set(&flag->value, __ATOMIC_SEQ_CST);
}

/* atomic_flag_test_and_set_explicit: with an order */
_Bool atomic_flag_test_and_set_explicit(volatile struct atomic_flag *flag, int order) {
    return __atomic_test_and_set(&flag->value, order);
}

/* atomic_flag_clear: seq_cst */
void atomic_flag_clear(volatile struct atomic_flag *flag) { __atomic_clear(&flag->value, __ATOMIC_SEQ_CST); }

/* atomic_flag_clear_explicit: with an order */
void atomic_flag_clear_explicit(volatile struct atomic_flag *flag, int order) { __atomic_clear(&flag->value, order); }

/* atomic_thread_fence: with an order */
void atomic_thread_fence(int order) { __atomic_thread_fence(order); }

/* atomic_signal_fence: with an order */
void atomic_signal_fence(int order) { __atomic_signal_fence(order); }
