// what: lseek gives the position to which it went, or -1
// expect: assert=ok
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int descriptor = open("data", O_RDONLY);
    if (descriptor < 0) return 0;
    off_t position = lseek(descriptor, 5, SEEK_SET);
    assert(position == 5 || position == -1);
    return 0;
}
