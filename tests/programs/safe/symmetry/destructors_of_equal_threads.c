// what: equal threads set a value of a key; its destructor counts them at their ends
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int count;

static void destroy(void *value) {
    pthread_mutex_lock(&mutex);
    ++*(int *)value;
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused) {
    pthread_setspecific(key, &count);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(count == 2);
    return 0;
}
