// what: two threads wait for each other's read-write lock, and the only step that can end it is an unlock by a third thread
// expect: deadlock=violated locks=violated
// why: rule 5: a local deadlock is judged in one state, and a foreign unlock does not count; main unlocks only after both
// why: have their first read-write lock, so no run ends in a global deadlock
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static sem_t ready;
static void *left(void *unused) {
    pthread_rwlock_wrlock(&a);
    sem_post(&ready);
    pthread_rwlock_wrlock(&b); //~ DEADLOCK
    pthread_rwlock_unlock(&b); //~ LOCKS
    pthread_rwlock_unlock(&a);
    return NULL;
}
static void *right(void *unused) {
    pthread_rwlock_wrlock(&b);
    sem_post(&ready);
    pthread_rwlock_wrlock(&a); //~ DEADLOCK
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t first, second;
    sem_init(&ready, 0, 0);
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    sem_wait(&ready);
    sem_wait(&ready);
    pthread_rwlock_unlock(&b); //~ LOCKS
    pthread_join(first, NULL); //~ DEADLOCK
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
