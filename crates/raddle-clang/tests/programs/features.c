/* What C and its GNU dialect have, one function a feature; compiled, never run. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int quad __attribute__((vector_size(16)));
struct big { int part[20]; };
union either { double real; long whole; char bytes[8]; };
struct __attribute__((packed)) tight { char c; int i; };
struct hidden;
struct chain { struct chain *next; int (*call)(struct chain *, void (*)(int)); };

extern struct hidden *hidden;
extern int elsewhere;
extern __thread int elsewhere_too;
struct tight tight[2] = {{1, 2}, {3, 4}};
union either either = {.whole = 5};
static const char *strings[] = {"a\"b\\", "\xff\n", 0};
void (*functions[2])(void);
__attribute__((weak)) int weak;
__attribute__((section(".special"))) int special = 3;
__attribute__((visibility("hidden"), aligned(64))) int aligned;
int numbers[10], *inside = &numbers[5];
intptr_t address = (intptr_t)&numbers[2];
struct chain chain = {&chain, 0};
char *middle = (char *)&chain + 4;
long double extended = 1.0L / 3;
float tenth = 0.1f;
__asm__(".globl nothing");

#ifdef __SIZEOF_INT128__
static __int128 wide = (__int128)-5 << 70;
int use_wide(void) { return (int)(wide >> 69); }
#endif

static int target(int x) { return x; }
int same(int) __attribute__((alias("target")));
static void *resolve(void) { return (void *)target; }
int chosen(int) __attribute__((ifunc("resolve")));
__attribute__((constructor)) static void early(void) { weak = 1; }
__attribute__((noreturn, naked)) void naked(void) { __asm__("ret"); }

int variadic(int n, ...) {
    va_list list;
    va_start(list, n);
    int sum = 0;
    while (n--)
        sum += va_arg(list, int);
    double last = va_arg(list, double);
    va_end(list);
    return sum + (int)last;
}

struct big by_value(struct big b, union either u) {
    b.part[3] = u.bytes[2];
    return b;
}

quad vectors(quad a, quad b) {
    quad r = a * b + (a > b);
    return __builtin_shufflevector(r, a, 0, 5, 2, 7);
}

float loop(float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * 2.0f;
    return sum;
}

int assembler(int x) {
    int y;
    __asm__("addl %2,%0" : "=r"(y) : "0"(x), "r"(3) : "cc");
    __asm__ goto("jmp %l0" : : : : out);
    return y;
out:
    return 1;
}

int labels(int x) {
    static void *table[] = {&&a, &&b, &&c};
    goto *table[x % 3];
a:
    return 1;
b:
    return labels(x - 1);
c:
    switch (x) {
    case 1 ... 5:
        return 3;
    case 100:
        return -1;
    case 7:
    case 8:
        return 99;
    }
    return 0;
}

jmp_buf buffer;
int jumps(void) {
    if (setjmp(buffer))
        return 1;
    longjmp(buffer, 1);
}

long whole;
_Atomic struct { int a, b; } pair;
_Atomic float number;
long atomics(void) {
    pair = pair;
    number += 1.0f;
    long old = __atomic_exchange_n(&whole, 4, __ATOMIC_ACQ_REL);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_fetch_nand(&whole, 1, __ATOMIC_RELAXED);
    __atomic_fetch_max(&whole, 9, __ATOMIC_RELEASE);
    return __sync_val_compare_and_swap(&whole, old, 1);
}

long builtins(int a, int b, volatile int *v) {
    int r;
    if (__builtin_add_overflow(a, b, &r))
        __builtin_trap();
    *v = r;
    if (__builtin_expect(a, 0))
        __builtin_unreachable();
    __builtin_assume(a < b);
    return __builtin_popcount(r) + __builtin_bswap32(a) + (r ?: elsewhere);
}

double complex complex_numbers(double complex z) { return z * z + (double complex)sin(creal(z)); }
long double extended_numbers(long double x) { return x * 2.0L + (long double)(int)x; }

struct bits { int a : 3; unsigned b : 17; long long c : 40; };
int bit_fields(struct bits *p) {
    p->a++;
    p->b = p->c;
    return p->a;
}

void *memory(void *d, const void *s, size_t n) {
    char copy[n];
    memcpy(copy, s, n);
    memset(d, 7, n);
    memmove(d, copy, n);
    struct big zero = {0};
    return memcpy(d, &zero, sizeof zero);
}

static void leave(int *x) { weak += *x; }
int cleanup(void) {
    int v __attribute__((cleanup(leave))) = 3;
    return v + elsewhere_too + (hidden != 0) + strings[0][0];
}

int callers(int (*f)()) { return ((int (*)(int, ...))target)(3) + f(1, 2.0) + same(2) + chosen(1); }
