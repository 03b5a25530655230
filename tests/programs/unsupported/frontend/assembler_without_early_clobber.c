// what: an output that is written before an input is read, and is not marked `&`, may be in the input's register
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
// why: compilers put both into one register, so the sum is 8; the text alone does not say so
#include <assert.h>

int main(void) {
    int in = 3, out;
    __asm__ volatile("movl $4, %0\n\taddl %1, %0" : "=r"(out) : "r"(in)); //~ UNSUPPORTED
    assert(out == 7);
    return 0;
}
