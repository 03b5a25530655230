// what: assumptions under every name cut the runs in which they fail
// expect: assert=ok
#include <assert.h>
#include <raddle.h>

void __VERIFIER_assume(int condition);
void __ESBMC_assume(_Bool condition);
void __CPROVER_assume(_Bool condition);
void assume_abort_if_not(int condition);

int main(void) {
    int x = (int)raddle_any_in(0, 15);
    __VERIFIER_assume(x & 1);
    __ESBMC_assume(x & 2);
    __CPROVER_assume(x & 4);
    assume_abort_if_not(x & 8);
    assert(x == 15);
    return 0;
}
