// what: the exit handler in the last thread is ordered after the ends of all others
// expect: assert=ok race=ok
// proved: explicit stateless
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int first, second;
static void handler(void) { assert(first == 1 && second == 1); }
static void *one(void *unused) {
    first = 1;
    return NULL;
}
static void *other(void *unused) {
    second = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, one, NULL);
    pthread_create(&thread, NULL, other, NULL);
    pthread_exit(NULL);
}
