// what: two pointers to one counter, both used under the same mutex
// expect: race=ok assert=ok
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

struct guarded {
    pthread_mutex_t *mutex;
    int *counter;
};
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counters[2];
static struct guarded arguments[2];
static void *worker(void *argument) {
    struct guarded *mine = argument;
    pthread_mutex_lock(mine->mutex);
    *mine->counter += 1;
    pthread_mutex_unlock(mine->mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int where = raddle_any_bool();
    for (int i = 0; i < 2; i++) {
        arguments[i].mutex = &mutexes[0];
        arguments[i].counter = &counters[i == 0 ? where : 1];
        pthread_create(&threads[i], NULL, worker, &arguments[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counters[0] + counters[1] == 2);
    return 0;
}
