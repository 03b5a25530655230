// what: the least int has no negative
// expect: overflow=violated
#include <limits.h>
#include <stdlib.h>

int main(void) {
    int x = INT_MIN;
    return -x == 0; //~ OVERFLOW
}
