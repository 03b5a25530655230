// what: select looks only at the descriptors below its first argument
// expect: assert=ok
#include <assert.h>
#include <sys/select.h>

int main(void) {
    fd_set set;
    struct timeval none = {0, 0};
    FD_ZERO(&set);
    FD_SET(5, &set);
    assert(select(1, &set, 0, 0, &none) <= 0);
    return 0;
}
