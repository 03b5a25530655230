// what: __CPROVER_assert with a text
// expect: assert=violated
void __CPROVER_assert(_Bool condition, const char *text);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

int main(void) {
    __CPROVER_atomic_begin();
    __CPROVER_atomic_end();
    __CPROVER_assert(0, "does not hold"); //~ ASSERT
    return 0;
}
