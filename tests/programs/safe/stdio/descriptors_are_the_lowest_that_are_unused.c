// what: descriptors are numbered from 3; a number that was closed is used again; poll says which are ready
// expect: assert=ok race=ok memsafety=ok
// says: waiting for other processes and for descriptors always ends
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    if (pipe(ends) < 0) return 1;
    assert(ends[0] == 3 && ends[1] == 4);
    close(ends[0]);
    int file = open("settings", O_RDONLY);
    assert(file == 3 || file == -1);
    struct pollfd wanted = {.fd = ends[1], .events = POLLOUT};
    int ready = poll(&wanted, 1, -1);
    assert(ready == -1 || ready == 1 && wanted.revents != 0);
    assert(poll(&wanted, 0, 0) == 0);
    return 0;
}
