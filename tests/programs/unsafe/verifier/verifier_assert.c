// what: __VERIFIER_assert and raddle_assert
// expect: assert=violated
#include <raddle.h>

void __VERIFIER_assert(int condition);

int main(void) {
    int x = (int)raddle_any_in(1, 4);
    __VERIFIER_assert(x > 0);
    raddle_assert(x != 3); //~ ASSERT
    return 0;
}
