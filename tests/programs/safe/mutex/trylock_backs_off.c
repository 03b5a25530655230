// what: trylock with release of what is held: no deadlock although the orders differ
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int both;
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) {
        both++;
        pthread_mutex_unlock(&b);
    }
    pthread_mutex_unlock(&a);
    return NULL;
}
static void *second(void *unused) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) {
        both++;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(both <= 2);
    return 0;
}
