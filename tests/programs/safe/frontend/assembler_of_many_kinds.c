// what: exchanges, updates and bit operations in assembler, of all sizes, with the flags that they leave
// expect: assert=ok memsafety=ok
#include <assert.h>
#include <stdint.h>

static int many(void) {
    int a = 1, v = 5;
    __asm__ volatile("xchg %0, %1" : "+r"(v), "+m"(a) : : "memory", "cc");
    assert(v == 1 && a == 5);
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(a) : : "memory");
    assert(v == 5 && a == 6);
    uint64_t wide = 1ull << 40, before;
    __asm__ volatile("lock; cmpxchgq %2, %1" : "=a"(before), "+m"(wide) : "q"(3ull), "0"(1ull << 40) : "memory");
    assert(before == 1ull << 40 && wide == 3);
    unsigned char done;
    int expected = 7;
    __asm__ volatile("lock; cmpxchgl %3, %1\n\tsete %0"
                     : "=q"(done), "+m"(a), "+a"(expected)
                     : "r"(9)
                     : "memory", "cc");
    assert(!done && a == 6 && expected == 6);
    short small = 4, other = -3;
    __asm__ volatile("xchgw %0, %1" : "=r"(other), "+m"(small) : "0"(other));
    assert(other == 4 && small == -3);
    unsigned char flag = 0, set = 1;
    __asm__ volatile("xchgb %0, %1" : "+q"(set), "+m"(flag) : : "memory");
    assert(set == 0 && flag == 1);
    return a;
}

static void flags(void) {
    int counter = 0;
    unsigned char negative, zero;
    __asm__ volatile("lock; addl $-1, %0; sets %1" : "+m"(counter), "=qm"(negative) : : "memory");
    assert(negative && counter == -1);
    __asm__ volatile("lock; incl %0; setz %1" : "+m"(counter), "=qm"(zero) : : "memory");
    assert(zero && counter == 0);
    long words[2] = {0, 0};
    int old, bit = 67;
    __asm__ volatile("lock; btsl %2, %1\n\tsbbl %0, %0" : "=r"(old), "+m"(words) : "Ir"(bit) : "memory");
    assert(old == 0 && words[0] == 0 && words[1] == 8);
    __asm__ volatile("lock; btrl %2, %1\n\tsbbl %0, %0" : "=r"(old), "+m"(words) : "Ir"(bit) : "memory");
    assert(old == -1 && words[1] == 0);
    __asm__ volatile("lock; orl %1, %0" : "+m"(counter) : "ir"(6));
    __asm__ volatile("lock; andl $3, %0" : "+m"(counter));
    __asm__ volatile("notl %0" : "+r"(counter));
    assert(counter == ~2);
}

static void pointers(void) {
    int a = 1, b = 2, *place = &a, *value = &b;
    __asm__ volatile("xchgq %0, %1" : "+r"(value), "+m"(place) : : "memory");
    assert(value == &a && place == &b && *place == 2);
    int *expected = &b;
    __asm__ volatile("lock; cmpxchgq %2, %1" : "+a"(expected), "+m"(place) : "r"(value) : "memory");
    assert(place == &a && expected == &b);
    __asm__ volatile("lock; incl (%0)" : : "r"(place) : "memory");
    assert(a == 2);
    int hidden = 9;
    __asm__("" : "+r"(hidden));
    assert(hidden == 9);
}

int main(void) {
    many();
    flags();
    pointers();
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lock; addl $0, 0(%%rsp)" ::: "memory", "cc");
    return 0;
}
