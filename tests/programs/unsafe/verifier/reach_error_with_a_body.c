// what: the user's own reach_error is used
// expect: assert=violated
#include <assert.h>

void reach_error(void) { assert(0); } //~ ASSERT

int main(void) {
    reach_error();
    return 0;
}
