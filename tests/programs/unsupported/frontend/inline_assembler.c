// what: inline assembler that is more than a barrier
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
int main(void) {
    int result;
    __asm__ volatile("movl $5, %0" : "=r"(result)); //~ UNSUPPORTED
    return result == 5 ? 0 : 1;
}
