/* Functions that no C library has: input from the trace, assumptions, assertions and atomic sections under the names of
 * SV-COMP, ESBMC, CBMC and raddle.h. A definition of the program's own is used instead. */
#include "raddle_native.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((weak))

static unsigned long long input(void) {
    const struct raddle_native_step *step = raddle_native_last;
    if (!step || !step->has_result)
        raddle_native_diverged("thread T%u reads an input that the trace does not have", NUMBER(raddle_native_self));
    return step->result;
}

#define ANY(type, name) \
    OWN type __VERIFIER_nondet_##name(void) { return (type)input(); } \
    OWN type nondet_##name(void) { return (type)input(); }
#define ANY_RADDLE(type, name) \
    OWN type raddle_any_##name(void) { return (type)input(); }

ANY(_Bool, bool)
ANY(_Bool, _Bool)
ANY(char, char)
ANY(signed char, schar)
ANY(unsigned char, uchar)
ANY(unsigned char, unsigned_char)
ANY(short, short)
ANY(unsigned short, ushort)
ANY(unsigned short, unsigned_short)
ANY(int, int)
ANY(unsigned, uint)
ANY(unsigned, unsigned)
ANY(unsigned, unsigned_int)
ANY(long, long)
ANY(unsigned long, ulong)
ANY(unsigned long, unsigned_long)
ANY(long long, longlong)
ANY(unsigned long long, ulonglong)
ANY(unsigned char, u8)
ANY(unsigned short, u16)
ANY(unsigned, u32)
ANY(unsigned long long, u64)
ANY(signed char, int8)
ANY(short, int16)
ANY(int, int32)
ANY(long long, int64)
ANY(unsigned char, uint8)
ANY(unsigned short, uint16)
ANY(unsigned, uint32)
ANY(unsigned long long, uint64)
ANY(size_t, size_t)
ANY(long, loff_t)
ANY(long, ptrdiff_t)
ANY(unsigned, sector_t)
ANY(unsigned long, pthread_t)
ANY(void *, pointer)
ANY(char *, pchar)

ANY_RADDLE(int, bool)
ANY_RADDLE(char, char)
ANY_RADDLE(signed char, schar)
ANY_RADDLE(unsigned char, uchar)
ANY_RADDLE(short, short)
ANY_RADDLE(unsigned short, ushort)
ANY_RADDLE(int, int)
ANY_RADDLE(unsigned, uint)
ANY_RADDLE(long, long)
ANY_RADDLE(unsigned long, ulong)
ANY_RADDLE(long long, llong)
ANY_RADDLE(unsigned long long, ullong)
ANY_RADDLE(size_t, size)
OWN long long raddle_any_in(long long low, long long high) { return (long long)input(); }

static float any_float(void) {
    unsigned bits = (unsigned)input();
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static double any_double(void) {
    unsigned long long bits = input();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
OWN float __VERIFIER_nondet_float(void) { return any_float(); }
OWN double __VERIFIER_nondet_double(void) { return any_double(); }
OWN float nondet_float(void) { return any_float(); }
OWN double nondet_double(void) { return any_double(); }
OWN float raddle_any_float(void) { return any_float(); }
OWN double raddle_any_double(void) { return any_double(); }

/* A thread whose assumption fails is blocked for ever. */
static void assume(int holds) {
    if (holds) return;
    raddle_native_leave(PARKED);
    raddle_native_hang();
}
OWN void __VERIFIER_assume(int holds) { assume(holds); }
OWN void __ESBMC_assume(_Bool holds) { assume(holds); }
OWN void __CPROVER_assume(_Bool holds) { assume(holds); }
OWN void raddle_assume(int holds) { assume(holds); }
OWN void assume_abort_if_not(int holds) { assume(holds); }

static void check(int holds, const char *text) {
    if (holds) return;
    raddle_native_failing(text);
    abort();
}
OWN void __VERIFIER_assert(int holds) { check(holds, "__VERIFIER_assert"); }
OWN void __ESBMC_assert(_Bool holds, const char *text) { check(holds, text); }
OWN void __CPROVER_assert(_Bool holds, const char *text) { check(holds, text); }
OWN void raddle_assert(int holds) { check(holds, "raddle_assert"); }
OWN void __VERIFIER_error(void) { check(0, "__VERIFIER_error is reached"); }
OWN void assert(int holds) { check(holds, "assert"); }
OWN void reach_error(void) { check(0, "reach_error is reached"); }

/* One thread at a time has the turn, and the schedule keeps the sections apart. */
OWN void __VERIFIER_atomic_begin(void) {}
OWN void __VERIFIER_atomic_end(void) {}
OWN void __ESBMC_atomic_begin(void) {}
OWN void __ESBMC_atomic_end(void) {}
OWN void __CPROVER_atomic_begin(void) {}
OWN void __CPROVER_atomic_end(void) {}
OWN void raddle_atomic_begin(void) {}
OWN void raddle_atomic_end(void) {}
/* The boundaries of functions that are atomic by their names, in optimised text. */
OWN void __raddle_atomic_begin(void) {}
OWN void __raddle_atomic_end(void) {}
OWN void __ESBMC_yield(void) {}
OWN void raddle_yield(void) {}
OWN void raddle_progress(void) {}
OWN void raddle_invariant(int (*holds)(void)) {}

/* clang's checks of signed shifts, which raddle asks for to know which shifts are signed. */
OWN void __ubsan_handle_shift_out_of_bounds_minimal(void) {}
