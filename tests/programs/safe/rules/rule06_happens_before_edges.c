// what: create, join, mutex, rwlock, barrier, semaphore, once and atomics all order
// expect: assert=ok
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static int by_create, by_join, by_semaphore, by_atomic, by_barrier;
static sem_t semaphore;
static atomic_int flag;
static pthread_barrier_t barrier;
static void *child(void *unused) {
    by_create++;
    by_semaphore++;
    sem_post(&semaphore);
    by_barrier++;
    pthread_barrier_wait(&barrier);
    by_atomic++;
    flag = 1;
    by_join++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    by_create++;
    pthread_create(&thread, NULL, child, NULL);
    sem_wait(&semaphore);
    by_semaphore++;
    pthread_barrier_wait(&barrier);
    by_barrier++;
    if (flag) by_atomic++;
    pthread_join(thread, NULL);
    by_join++;
    return 0;
}
