// what: never three of three threads are inside
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int inside;
static void *enter(void *unused) {
    sem_wait(&semaphore);
    assert(atomic_fetch_add(&inside, 1) < 2);
    atomic_fetch_sub(&inside, 1);
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&semaphore, 0, 2);
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_create(&c, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
