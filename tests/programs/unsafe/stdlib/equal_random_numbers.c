// what: a program relies on two random numbers being different
// expect: assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int a = rand() % 2, b = rand() % 2;
    assert(a != b); //~ ASSERT
    return 0;
}
