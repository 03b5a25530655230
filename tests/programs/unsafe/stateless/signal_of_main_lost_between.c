// what: main raises the flag when the thread has looked and does not yet wait
// expect: deadlock=violated
// why: a switch away from main before the flag, one back before the wait; preemptions: 2
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

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, wait, NULL);
    flag = 1;
    pthread_cond_signal(&condition);
    pthread_join(a, NULL); //~ DEADLOCK
    return 0;
}
