// what: the second thread joins the first; main joins the second
// expect: deadlock=ok
#include <pthread.h>
#include <semaphore.h>

static pthread_t first, second;
static sem_t created;
static void *one(void *unused) {
    sem_wait(&created);
    return NULL;
}
static void *two(void *unused) {
    sem_wait(&created);
    pthread_join(first, NULL);
    return NULL;
}

int main(void) {
    sem_init(&created, 0, 0);
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    sem_post(&created);
    sem_post(&created);
    pthread_join(second, NULL);
    return 0;
}
