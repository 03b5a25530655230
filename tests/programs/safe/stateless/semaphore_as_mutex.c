// what: a semaphore of one permit guards a plain variable
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static int x;
static void *add(void *unused) {
    sem_wait(&semaphore);
    x++;
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
