// what: the quotient does not fit
// expect: overflow=violated
#include <limits.h>

int main(void) {
    int x = INT_MIN, y = -1;
    return x / y == 0; //~ OVERFLOW
}
