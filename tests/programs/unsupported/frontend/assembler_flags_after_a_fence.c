// what: a locked `or` of zero to the stack is a fence, and sets the flags from what lies there; those of before are gone
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
// why: what lies on the stack is not known; the zero flag may be 0 and 1
#include <assert.h>

int main(void) {
    int count = 2;
    unsigned char zero;
    __asm__ volatile("lock; decl %0\n\tlock; orl $0, -64(%%rsp)\n\tsete %1" : "+m"(count), "=q"(zero) : : "memory", "cc"); //~ UNSUPPORTED
    assert(!zero);
    return 0;
}
