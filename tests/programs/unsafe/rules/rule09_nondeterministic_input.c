// what: input is any value of its type; one of them breaks the assertion
// expect: assert=violated
#include <assert.h>
#include <raddle.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    long long x = raddle_any_in(-2, 2);
    if (__VERIFIER_nondet_bool()) assert(x != 2); //~ ASSERT
    return 0;
}
