// what: each of three threads gets the address of a structure; only the one with index 2 may break it, and only at the end
// expect: assert=violated
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
    if (work->index == 2) assert(sum != 4); //~ ASSERT
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
    return 0;
}
