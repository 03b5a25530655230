// what: the only pointer to a block is in a packed structure, at an odd address; another was copied byte by byte
// expect: leak=ok
// engines: explicit stateless
// proved: explicit stateless
// options: --property leak
// why: both globals still hold the pointers
#include <stdlib.h>

static struct __attribute__((packed)) {
    char letter;
    int *block;
} packed;
static char bytes[11];

int main(void) {
    packed.block = malloc(sizeof(int));
    int *other = malloc(sizeof(int));
    for (unsigned i = 0; i < sizeof other; i++) bytes[3 + i] = ((char *)&other)[i];
    other = 0;
    return 0;
}
