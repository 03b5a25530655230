// what: marks in the low bits of addresses of functions, objects and thread-locals
// expect: assert=ok
// output: 7 3 5\n
// exit: 0
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
static int seven(void) { return 7; }
static long long object[2] = {3, 5};
static _Thread_local long long own = 5;
static uintptr_t tagged_object = (uintptr_t)&object[0] + 1;

int main(void) {
    uintptr_t f = (uintptr_t)seven | 1;
    uintptr_t o = (uintptr_t)&object[1] | 1;
    uintptr_t t = (uintptr_t)&own | 2;
    assert((o & 1) == 1 && (tagged_object & 1) == 1 && (t & 7) == 2);
    assert(((uintptr_t)&own & 7) == 0 && ((uintptr_t)&object ^ (uintptr_t)&object) == 0);
    int (*call)(void) = (int (*)(void))(f & ~(uintptr_t)1);
    long long *p = (long long *)(tagged_object - 1);
    long long *q = (long long *)(t & ~(uintptr_t)2);
    printf("%d %lld %lld\n", call(), *p, *q);
    return 0;
}
