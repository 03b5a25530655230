// what: a permit is taken at once or not at all
// expect: assert=ok race=ok deadlock=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int got;
static void *attempt(void *unused) {
    if (sem_trywait(&semaphore) == 0) got++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, NULL, attempt, NULL);
    pthread_create(&b, NULL, attempt, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(got == 1);
    return 0;
}
