// what: what is unsupported counts only if it can be reached
// expect: assert=ok
int main(void) {
    volatile int never = 0;
    if (never) __asm__ volatile("int3");
    return 0;
}
