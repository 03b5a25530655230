// what: three threads, three mutexes, each holds one and wants the next
// expect: deadlock=violated
// schedules: 2000
#include <pthread.h>

static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *child(void *argument) {
    long me = (long)argument;
    pthread_mutex_lock(&mutexes[me]);
    pthread_mutex_lock(&mutexes[(me + 1) % 3]); //~ DEADLOCK
    pthread_mutex_unlock(&mutexes[(me + 1) % 3]);
    pthread_mutex_unlock(&mutexes[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, child, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
