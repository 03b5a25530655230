// what: the optimiser folds `x + 1 > x` to true; the overflow is still seen, on the code as it was written
// expect: overflow=violated
// options: --optimize 2
#include <limits.h>

int main(void) {
    volatile int source = INT_MAX;
    int x = source;
    return x + 1 > x; //~ OVERFLOW
}
