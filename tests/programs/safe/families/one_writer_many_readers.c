// what: each reader sees the old or the new value
// expect: assert=ok
// options: -DREADERS=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 3
#endif
static atomic_int value;
static void *writer(void *unused) {
    value = 1;
    return NULL;
}
static void *reader(void *unused) {
    int seen = value;
    assert(seen == 0 || seen == 1);
    return NULL;
}

int main(void) {
    pthread_t w, readers[READERS];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
    return 0;
}
