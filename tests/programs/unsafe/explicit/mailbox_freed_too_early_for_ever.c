// what: the sender frees its block without waiting until the receiver has read it
// expect: memsafety=violated race=violated
// engines: explicit
// why: the receiver takes the pointer, the sender frees, the receiver reads; and the other way round read and free are
// unordered
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) mailbox;
static void *receiver(void *unused) {
    for (;;) {
        int *block = mailbox;
        int value = block ? *block : 0; //~ MEMSAFETY //~ RACE
        (void)value;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, NULL);
    for (;;) {
        int *block = malloc(sizeof *block);
        *block = 1;
        mailbox = block;
        mailbox = NULL;
        free(block); //~ RACE
    }
    return 0;
}
