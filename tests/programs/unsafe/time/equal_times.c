// what: two readings of a clock may be equal
// expect: assert=violated
// explicit: assert=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <time.h>

int main(void) {
    time_t a = time(NULL), b = time(NULL);
    assert(b > a); //~ ASSERT
    return 0;
}
