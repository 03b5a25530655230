// what: the consumer reads after the post
// expect: assert=ok race=ok deadlock=ok
// why: one class
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int x;
static void *produce(void *unused) {
    x = 42;
    sem_post(&semaphore);
    return NULL;
}
static void *consume(void *unused) {
    sem_wait(&semaphore);
    assert(x == 42);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
