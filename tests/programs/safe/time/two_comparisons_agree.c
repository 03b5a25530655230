// what: times are ordered: not both before and after each other; choices for comparisons do not show that
// expect: assert=ok
// explicit: assert=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <time.h>

int main(void) {
    time_t a = time(NULL), b = time(NULL);
    int later = b > a;
    if (later) assert(a < b);
    assert(a <= b);
    return 0;
}
