// what: a long loop of one thread whose local state repeats while a global counts: it ends
// expect: assert=violated
// schedules: 2
#include <assert.h>

static int counter;

static int more(void) { return ++counter < 20000; }

int main(void) {
    while (more()) {
        for (int i = 0; i < 40; i++) continue;
    }
    assert(counter == 0); //~ ASSERT
    return 0;
}
