// what: the last of several writers wins
// expect: assert=ok
// options: -DWRITERS=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 3
#endif
static atomic_int value;
static void *writer(void *argument) {
    value = (int)(long)argument;
    return NULL;
}

int main(void) {
    pthread_t writers[WRITERS];
    for (long i = 0; i < WRITERS; i++) pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < WRITERS; i++) pthread_join(writers[i], NULL);
    int last = value;
    assert(last >= 1 && last <= WRITERS);
    return 0;
}
