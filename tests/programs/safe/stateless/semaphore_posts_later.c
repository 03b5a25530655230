// what: both posts come after the threads were created
// expect: assert=ok race=ok deadlock=ok
// why: the first wait comes between the posts or after both; in either order
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static void *take(void *unused) {
    sem_wait(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    sem_post(&semaphore);
    sem_post(&semaphore);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
