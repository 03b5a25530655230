// what: a thread compares each byte of a variable's address with all values, keeps those that are equal, and writes there
// expect: race=violated
// why: a comparison with a number that is tried tells the address as well as a copy of it
#include <pthread.h>

static int y;
static union {
    unsigned char bytes[sizeof(int *)];
    int *pointer;
} built;

static void *writer(void *unused) {
    union {
        int *pointer;
        unsigned char bytes[sizeof(int *)];
    } own = {&y};
    for (unsigned i = 0; i < sizeof own; i++)
        for (int tried = 0; tried < 256; tried++)
            if (own.bytes[i] == tried) {
                built.bytes[i] = (unsigned char)tried;
                break;
            }
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
