// what: equal threads publish pointers to their thread-locals, one at a time
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int own;
static int *lent;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    lent = &own;
    *lent += 1;
    assert(own == 1);
    lent = NULL;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(own == 0);
    return 0;
}
