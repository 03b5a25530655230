// what: after the overflow the value has wrapped, and the assertion sees it
// expect: overflow=violated assert=violated
#include <assert.h>
#include <limits.h>

int main(void) {
    int x = INT_MAX;
    x++; //~ OVERFLOW
    assert(x != INT_MIN); //~ ASSERT
    return 0;
}
