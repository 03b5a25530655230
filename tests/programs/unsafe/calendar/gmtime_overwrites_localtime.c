// what: gmtime writes to the object that localtime has returned
// expect: assert=violated
// options: --property assert
#include <assert.h>
#include <time.h>

int main(void) {
    time_t early = 0, late = 1000000000;
    const struct tm *parts = localtime(&late);
    gmtime(&early);
    assert(parts->tm_year == 101); //~ ASSERT
    return 0;
}
