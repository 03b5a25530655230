// what: three threads take three mutexes in a circle; one does not pass the gate, and the gate opens too early
// expect: deadlock=violated
// schedules: 4000
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *taker(void *argument) {
    long me = (long)argument;
    if (me) pthread_mutex_lock(&gate);
    pthread_mutex_lock(&mutexes[me]);
    if (me) pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&mutexes[(me + 1) % 3]); //~ DEADLOCK
    pthread_mutex_unlock(&mutexes[(me + 1) % 3]);
    pthread_mutex_unlock(&mutexes[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, taker, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL); //~ DEADLOCK
    return 0;
}
