// what: who finds the mutex held goes on without it
// expect: assert=ok race=ok deadlock=ok
// why: either order, and in each the later one may fail
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static atomic_int skipped;
static void *add(void *unused) {
    if (pthread_mutex_trylock(&mutex) == 0) {
        x++;
        pthread_mutex_unlock(&mutex);
    } else {
        skipped++;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x + skipped == 2);
    assert(x >= 1);
    return 0;
}
