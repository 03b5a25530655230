// what: inline assembler that is no fence, exchange or update
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
int main(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)); //~ UNSUPPORTED
    return low == 5 ? 0 : 1;
}
