// what: a pipe with O_NONBLOCK gives EAGAIN in place of waiting
// expect: assert=ok memsafety=ok
// proved: auto
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int e[2]; char c;
    if (pipe(e) < 0) return 1;
    assert(fcntl(e[0], F_SETFL, O_NONBLOCK) == 0);
    assert(read(e[0], &c, 1) == -1 && errno == EAGAIN);
    assert(write(e[1], "a", 1) == 1 && read(e[0], &c, 1) == 1 && c == 'a');
    int f = fcntl(e[1], F_GETFD);
    assert(f >= -1 && f <= 1);
    return 0;
}
