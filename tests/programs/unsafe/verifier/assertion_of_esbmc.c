// what: __ESBMC_assert with a text
// expect: assert=violated
void __ESBMC_assert(_Bool condition, const char *text);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_yield(void);

int main(void) {
    __ESBMC_atomic_begin();
    __ESBMC_atomic_end();
    __ESBMC_yield();
    __ESBMC_assert(1, "holds");
    __ESBMC_assert(0, "does not hold"); //~ ASSERT
    return 0;
}
