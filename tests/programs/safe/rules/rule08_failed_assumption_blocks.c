// what: runs in which the assumption fails stop there and break nothing
// expect: assert=ok
#include <assert.h>
#include <raddle.h>

int main(void) {
    int x = raddle_any_int();
    raddle_assume(x > 10 && x < 20);
    assert(x > 10);
    return 0;
}
