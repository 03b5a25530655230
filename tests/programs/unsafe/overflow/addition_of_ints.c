// what: INT_MAX plus one
// expect: overflow=violated
#include <limits.h>

int main(void) {
    int x = INT_MAX;
    x = x + 1; //~ OVERFLOW
    return x == 0;
}
