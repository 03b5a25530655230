// what: whose end a robust mutex asks for depends on who holds it
// expect: assert=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
// why: a ends with the mutex, c takes it over and gives it back unrepaired, b finds it unusable; preemptions: 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int of_a, of_b, of_c;

static void *a(void *unused) {
    of_a = pthread_mutex_lock(&mutex);
    return NULL;
}
static void *b(void *unused) {
    of_b = pthread_mutex_trylock(&mutex);
    if (of_b == 0) pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *c(void *unused) {
    of_c = pthread_mutex_lock(&mutex);
    if (of_c == 0 || of_c == EOWNERDEAD) pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, b, NULL);
    pthread_create(&threads[1], NULL, a, NULL);
    pthread_create(&threads[2], NULL, c, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(!(of_a == 0 && of_c == EOWNERDEAD && of_b == ENOTRECOVERABLE)); //~ ASSERT
    return 0;
}
