// what: two threads wait for each other's mutex, and the only step that can end it is an unlock by a third thread
// expect: deadlock=violated locks=violated
// why: rule 5: a local deadlock is judged in one state, and a foreign unlock does not count; main unlocks only after both
// why: have their first mutex, so no run ends in a global deadlock
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static void *left(void *unused) {
    pthread_mutex_lock(&a);
    sem_post(&ready);
    pthread_mutex_lock(&b); //~ DEADLOCK
    pthread_mutex_unlock(&b); //~ LOCKS
    pthread_mutex_unlock(&a);
    return NULL;
}
static void *right(void *unused) {
    pthread_mutex_lock(&b);
    sem_post(&ready);
    pthread_mutex_lock(&a); //~ DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t first, second;
    sem_init(&ready, 0, 0);
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    sem_wait(&ready);
    sem_wait(&ready);
    pthread_mutex_unlock(&b); //~ LOCKS
    pthread_join(first, NULL); //~ DEADLOCK
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
