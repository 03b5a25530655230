// what: a thread builds a pointer to a variable from the bits of its address, by branches, and writes through it
// expect: race=violated
// why: no instruction passes the address on; what is branched on its bits may be the address again
#include <pthread.h>
#include <stdint.h>

static int y;
static union {
    uintptr_t number;
    int *pointer;
} built;

static void *writer(void *unused) {
    uintptr_t address = (uintptr_t)&y;
    for (int i = 0; i < 64; i++)
        if (address >> i & 1) built.number |= 1ul << i;
    *built.pointer = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    y = 2;
    pthread_join(thread, NULL);
    return 0;
}
