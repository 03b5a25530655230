/* Assertions, assumptions, nondeterministic input and atomic sections under the names that programs use: the C library,
 * SV-COMP's __VERIFIER_, ESBMC's and CBMC's names, and raddle.h. A body that the user gives to one of these names is
 * used instead.
 *
 * Deviations: 1. `assume_abort_if_not` aborts: the thread is stopped. 2. A nondeterministic float is any pattern of
 * bits, NaN included. 3. A nondeterministic pointer is any address; following it is a memory fault.
 */
#include "model.h"

static void check(int condition) {
    if (!condition) __raddle_fault(RADDLE_ASSERT, "assertion failed", 0);
}

/* __assert_fail: a failed assert of glibc */
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
    __raddle_fault(RADDLE_ASSERT, expression, 0);
    __raddle_process_exit(134, 1);
}

/* __assert_perror_fail: a failed assert_perror of glibc */
_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    __raddle_fault(RADDLE_ASSERT, "assertion failed: unexpected error number", 0);
    __raddle_process_exit(134, 1);
}

/* __assert: a failed assert under its name in other libraries */
_Noreturn void __assert(const char *expression, const char *file, int line) {
    __raddle_fault(RADDLE_ASSERT, expression, 0);
    __raddle_process_exit(134, 1);
}

/* __assert_rtn: a failed assert under its name on macOS */
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *expression) {
    __raddle_fault(RADDLE_ASSERT, expression, 0);
    __raddle_process_exit(134, 1);
}

/* assert: called as an undeclared function */
void assert(int condition) { check(condition); }

/* __VERIFIER_assert: an assertion */
void __VERIFIER_assert(int condition) { check(condition); }

/* __ESBMC_assert: an assertion with a text */
void __ESBMC_assert(_Bool condition, const char *text) {
    if (!condition) __raddle_fault(RADDLE_ASSERT, text, 0);
}

/* __CPROVER_assert: an assertion with a text */
void __CPROVER_assert(_Bool condition, const char *text) {
    if (!condition) __raddle_fault(RADDLE_ASSERT, text, 0);
}

/* raddle_assert: an assertion */
void raddle_assert(int condition) { check(condition); }

/* __VERIFIER_error: must not be reached */
_Noreturn void __VERIFIER_error(void) {
    __raddle_fault(RADDLE_ASSERT, "__VERIFIER_error is reached", 0);
    __raddle_process_exit(134, 1);
}

/* reach_error: must not be reached */
void reach_error(void) { __raddle_fault(RADDLE_ASSERT, "reach_error is reached", 0); }

/* __VERIFIER_assume: the thread blocks for ever if it does not hold */
void __VERIFIER_assume(int condition) { __raddle_assume(condition != 0); }

/* __ESBMC_assume: the thread blocks for ever if it does not hold */
void __ESBMC_assume(_Bool condition) { __raddle_assume(condition); }

/* __CPROVER_assume: the thread blocks for ever if it does not hold */
void __CPROVER_assume(_Bool condition) { __raddle_assume(condition); }

/* raddle_assume: the thread blocks for ever if it does not hold */
void raddle_assume(int condition) { __raddle_assume(condition != 0); }

/* assume_abort_if_not: aborts if it does not hold */
void assume_abort_if_not(int condition) {
    if (!condition) __raddle_process_exit(134, 1);
}

/* __VERIFIER_atomic_begin: begins an atomic section */
void __VERIFIER_atomic_begin(void) { __raddle_atomic_begin(); }

/* __VERIFIER_atomic_end: ends an atomic section */
void __VERIFIER_atomic_end(void) { __raddle_atomic_end(); }

/* __ESBMC_atomic_begin: begins an atomic section */
void __ESBMC_atomic_begin(void) { __raddle_atomic_begin(); }

/* __ESBMC_atomic_end: ends an atomic section */
void __ESBMC_atomic_end(void) { __raddle_atomic_end(); }

/* __CPROVER_atomic_begin: begins an atomic section */
void __CPROVER_atomic_begin(void) { __raddle_atomic_begin(); }

/* __CPROVER_atomic_end: ends an atomic section */
void __CPROVER_atomic_end(void) { __raddle_atomic_end(); }

/* raddle_atomic_begin: begins an atomic section */
void raddle_atomic_begin(void) { __raddle_atomic_begin(); }

/* raddle_atomic_end: ends an atomic section */
void raddle_atomic_end(void) { __raddle_atomic_end(); }

/* __ESBMC_yield: a step that touches nothing */
void __ESBMC_yield(void) { __raddle_yield(); }

/* raddle_yield: a step that touches nothing */
void raddle_yield(void) { __raddle_yield(); }

/* raddle_progress: a mark of progress, for livelock */
void raddle_progress(void) { __raddle_progress(); }

/* The functions that were registered, up to the first null: read by the machine after every visible operation. */
enum { RADDLE_INVARIANTS = 16 };
int (*raddle_invariants[RADDLE_INVARIANTS + 1])(void);

/* raddle_invariant: must give non-zero after every visible operation; at most 16 functions */
void raddle_invariant(int (*holds)(void)) {
    __raddle_begin();
    int place = 0;
    while (place < RADDLE_INVARIANTS && raddle_invariants[place] && raddle_invariants[place] != holds) place++;
    if (place == RADDLE_INVARIANTS) __raddle_unsupported("raddle_invariant: more than 16 functions");
    if (!raddle_invariants[place]) raddle_invariants[place] = holds;
    __raddle_end();
}

/* One function for each type, under each of the names in use. */
#define ANY(type, name, bits) \
    type __VERIFIER_nondet_##name(void) { return (type)__raddle_any(bits); } \
    type nondet_##name(void) { return (type)__raddle_any(bits); }
#define ANY_RADDLE(type, name, bits) \
    type raddle_any_##name(void) { return (type)__raddle_any(bits); }

ANY(_Bool, bool, 1)
ANY(_Bool, _Bool, 1)
ANY(char, char, 8)
ANY(signed char, schar, 8)
ANY(unsigned char, uchar, 8)
ANY(unsigned char, unsigned_char, 8)
ANY(short, short, 16)
ANY(unsigned short, ushort, 16)
ANY(unsigned short, unsigned_short, 16)
ANY(int, int, 32)
ANY(unsigned, uint, 32)
ANY(unsigned, unsigned, 32)
ANY(unsigned, unsigned_int, 32)
ANY(long, long, 8 * sizeof(long))
ANY(unsigned long, ulong, 8 * sizeof(long))
ANY(unsigned long, unsigned_long, 8 * sizeof(long))
ANY(long long, longlong, 64)
ANY(unsigned long long, ulonglong, 64)
ANY(unsigned char, u8, 8)
ANY(unsigned short, u16, 16)
ANY(unsigned, u32, 32)
ANY(unsigned long long, u64, 64)
ANY(signed char, int8, 8)
ANY(short, int16, 16)
ANY(int, int32, 32)
ANY(long long, int64, 64)
ANY(unsigned char, uint8, 8)
ANY(unsigned short, uint16, 16)
ANY(unsigned, uint32, 32)
ANY(unsigned long long, uint64, 64)
ANY(size_t, size_t, 8 * sizeof(size_t))
ANY(long, loff_t, 8 * sizeof(long))
ANY(long, ptrdiff_t, 8 * sizeof(long))
ANY(unsigned, sector_t, 32)
ANY(unsigned long, pthread_t, 8 * sizeof(long))
ANY(void *, pointer, 8 * sizeof(void *))
ANY(char *, pchar, 8 * sizeof(void *))

ANY_RADDLE(int, bool, 1)
ANY_RADDLE(char, char, 8)
ANY_RADDLE(signed char, schar, 8)
ANY_RADDLE(unsigned char, uchar, 8)
ANY_RADDLE(short, short, 16)
ANY_RADDLE(unsigned short, ushort, 16)
ANY_RADDLE(int, int, 32)
ANY_RADDLE(unsigned, uint, 32)
ANY_RADDLE(long, long, 8 * sizeof(long))
ANY_RADDLE(unsigned long, ulong, 8 * sizeof(long))
ANY_RADDLE(long long, llong, 64)
ANY_RADDLE(unsigned long long, ullong, 64)
ANY_RADDLE(size_t, size, 8 * sizeof(size_t))

static float any_float(void) {
    union { unsigned bits; float value; } both;
    both.bits = (unsigned)__raddle_any(32);
    return both.value;
}

static double any_double(void) {
    union { unsigned long long bits; double value; } both;
    both.bits = __raddle_any(64);
    return both.value;
}

/* __VERIFIER_nondet_float: any pattern of bits */
float __VERIFIER_nondet_float(void) { return any_float(); }
/* __VERIFIER_nondet_double: any pattern of bits */
double __VERIFIER_nondet_double(void) { return any_double(); }
/* nondet_float: any pattern of bits */
float nondet_float(void) { return any_float(); }
/* nondet_double: any pattern of bits */
double nondet_double(void) { return any_double(); }
/* raddle_any_float: any pattern of bits */
float raddle_any_float(void) { return any_float(); }
/* raddle_any_double: any pattern of bits */
double raddle_any_double(void) { return any_double(); }

/* raddle_any_in: any integer from low to high, both included */
long long raddle_any_in(long long low, long long high) {
    __raddle_assume(low <= high);
    unsigned long long count = (unsigned long long)high - (unsigned long long)low + 1;
    unsigned long long offset = count == 0 ? __raddle_any(64) : __raddle_choose(count);
    return (long long)((unsigned long long)low + offset);
}

/* __VERIFIER_nondet_memory: fills memory with any bytes */
void __VERIFIER_nondet_memory(void *memory, size_t size) {
    for (size_t i = 0; i < size; i++) ((unsigned char *)memory)[i] = (unsigned char)__raddle_any(8);
}
