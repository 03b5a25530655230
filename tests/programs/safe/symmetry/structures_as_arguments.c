// what: each of three threads gets the address of a structure with an index that nothing reads, and adds its amount
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>

struct work {
    int index;
    int amount;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct work works[3];
static pthread_t threads[3];
static int sum;

static void *worker(void *argument) {
    struct work *work = argument;
    int amount = work->amount;
    pthread_mutex_lock(&mutex);
    sum += amount;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        works[i].index = i;
        works[i].amount = 2;
        pthread_create(&threads[i], NULL, worker, &works[i]);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 6);
    return 0;
}
