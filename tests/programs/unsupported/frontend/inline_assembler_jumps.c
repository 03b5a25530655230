// what: inline assembler with a loop of its own
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
int main(void) {
    int held = 0;
    __asm__ volatile("1: lock; decl %0\n\tjs 1b" : "+m"(held)); //~ UNSUPPORTED
    return 0;
}
