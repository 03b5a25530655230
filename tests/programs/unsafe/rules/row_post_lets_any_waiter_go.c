// what: a post wakes any waiter: not the one that waited first
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int asked, got;
static void *child(void *unused) {
    int mine = asked++;
    sem_wait(&semaphore);
    assert(got++ == mine); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    sem_post(&semaphore);
    sem_post(&semaphore);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
