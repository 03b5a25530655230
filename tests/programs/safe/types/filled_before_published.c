// what: a fresh block is filled before its address is stored under the lock
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdlib.h>
struct box { int value; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct box *shared;
static void *put(void *p) {
    struct box *made = malloc(sizeof *made);
    made->value = 1;
    pthread_mutex_lock(&m);
    shared = made;
    pthread_mutex_unlock(&m);
    return 0;
}
static void *get(void *p) {
    int seen = 0;
    pthread_mutex_lock(&m);
    if (shared) seen = shared->value;
    pthread_mutex_unlock(&m);
    return (void *)(long)seen;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
