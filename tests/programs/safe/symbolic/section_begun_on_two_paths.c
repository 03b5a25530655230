// what: two sections that begin on different paths, one of them with a write, meet and end together
// expect: assert=ok
#include <assert.h>
#include <raddle.h>

static int x;
static void enter(int plain) {
    if (plain) {
        raddle_atomic_begin();
    } else {
        raddle_atomic_begin();
        x = 1;
    }
}

int main(void) {
    enter(raddle_any_bool());
    x++;
    raddle_atomic_end();
    assert(x == 1 || x == 2);
    return 0;
}
