// what: what unistd.h says of the process, and output by write
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <unistd.h>

int main(void) {
    char c;
    assert(getpid() > 0 && getppid() > 0 && getpid() == getpid());
    assert(getpagesize() == 4096 && sysconf(_SC_PAGESIZE) == 4096 && sysconf(_SC_NPROCESSORS_ONLN) >= 1);
    assert(write(1, "text\n", 5) == 5 && write(-1, "x", 1) == -1);
    long n = read(0, &c, 1);
    assert(n >= -1 && n <= 1);
    assert(close(7) == 0 || 1);
    return 0;
}
