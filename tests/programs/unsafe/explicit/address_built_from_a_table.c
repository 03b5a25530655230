// what: a thread looks four bits of a variable's address up in a table at a time, and writes through what it put together
// expect: race=violated
// why: what is read from the table carries no address; the index did
#include <pthread.h>
#include <stdint.h>

static int y;
static const unsigned char digits[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static union {
    uintptr_t number;
    int *pointer;
} built;

static void *writer(void *unused) {
    uintptr_t address = (uintptr_t)&y;
    for (int i = 0; i < 64; i += 4) built.number |= (uintptr_t)digits[address >> i & 15] << i;
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
