// what: with 32-bit longs and pointers sizes and wrapping change
// expect: assert=ok
// options: --data-model ILP32
void __VERIFIER_assert(int condition);

struct mixed { char c; long l; char *p; long long w; };

int main(void) {
    unsigned long wraps = 0xffffffffu;
    wraps++;
    __VERIFIER_assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    __VERIFIER_assert(wraps == 0);
    __VERIFIER_assert(sizeof(struct mixed) == 20);
    __VERIFIER_assert((long)0x80000000u < 0);
    return 0;
}
