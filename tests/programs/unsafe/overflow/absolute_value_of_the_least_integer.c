// what: abs of the least integer
// expect: overflow=violated
#include <limits.h>
#include <stdlib.h>

static int least = INT_MIN;

int main(void) {
    return abs(least) == 0; //~ OVERFLOW
}
