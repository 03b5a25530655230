// what: a spurious wake-up could save the waiter, but it is not owed: a deadlock
// expect: deadlock=violated
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&cond, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return 0;
}
