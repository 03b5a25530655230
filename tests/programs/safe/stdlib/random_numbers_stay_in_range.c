// what: rand is any number from 0 to RAND_MAX
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 1;
    srand(42);
    int a = rand(), b = rand_r(&seed);
    long c = random();
    assert(a >= 0 && a <= RAND_MAX && b >= 0 && c >= 0);
    assert(rand() % 6 < 6);
    return 0;
}
