// what: the flag is looked at outside the mutex
// expect: deadlock=violated
// why: a switch between the question and the wait; preemptions: 1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static void *wait(void *unused) {
    if (!flag) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex); //~ DEADLOCK
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *wake(void *unused) {
    flag = 1;
    pthread_cond_signal(&condition);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, wake, NULL);
    pthread_join(a, NULL); //~ DEADLOCK
    pthread_join(b, NULL);
    return 0;
}
