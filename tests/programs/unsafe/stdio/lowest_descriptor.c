// what: open gives the lowest descriptor that is unused; after close(0) that is 0
// expect: assert=violated
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    close(0);
    int descriptor = open("data", O_RDONLY);
    assert(descriptor != 0); //~ ASSERT
    return 0;
}
