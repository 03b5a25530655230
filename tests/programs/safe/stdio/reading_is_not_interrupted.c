// what: that no signal interrupts reading is said as an assumption
// expect: assert=ok
// says: reading from outside fails with EIO or EAGAIN only
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
    char c;
    int again = 0;
    if (read(0, &c, 1) < 0 && errno == EINTR) again = 1;
    assert(!again);
    return 0;
}
