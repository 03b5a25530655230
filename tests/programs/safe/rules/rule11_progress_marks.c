// what: progress marks and yields change nothing in a run that ends
// expect: assert=ok
#include <raddle.h>

int main(void) {
    for (int i = 0; i < 3; i++) {
        raddle_progress();
        raddle_yield();
    }
    return 0;
}
