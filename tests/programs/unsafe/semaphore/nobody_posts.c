// what: main waits for a post that depends on a wait that comes later
// expect: deadlock=violated
#include <pthread.h>
#include <semaphore.h>

static sem_t first, second;
static void *child(void *unused) {
    sem_wait(&first); //~ DEADLOCK
    sem_post(&second);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&first, 0, 0);
    sem_init(&second, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    sem_wait(&second);
    sem_post(&first);
    pthread_join(thread, NULL);
    return 0;
}
