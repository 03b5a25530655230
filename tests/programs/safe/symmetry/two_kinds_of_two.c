// what: two equal producers and two equal consumers over one counting semaphore
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t full;
static atomic_int items;

static void *produce(void *unused) {
    items++;
    sem_post(&full);
    return NULL;
}

static void *consume(void *unused) {
    sem_wait(&full);
    assert(items > 0);
    items--;
    return NULL;
}

int main(void) {
    pthread_t producers[2], consumers[2];
    sem_init(&full, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&producers[i], NULL, produce, NULL);
        pthread_create(&consumers[i], NULL, consume, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(producers[i], NULL);
        pthread_join(consumers[i], NULL);
    }
    assert(items == 0);
    return 0;
}
