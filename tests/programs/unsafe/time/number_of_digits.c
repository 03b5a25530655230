// what: how much is printed depends on the time
// expect: assert=violated
// explicit: assert=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    int digits = printf("%ld", (long)time(NULL));
    assert(digits < 10);
    return 0;
}
