// what: two waiters with different predicates, one condition variable, and signal instead of broadcast
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;
static void *waits_for(void *argument) {
    int wanted = (int)(long)argument;
    pthread_mutex_lock(&mutex);
    while (stage < wanted) pthread_cond_wait(&changed, &mutex); //~ DEADLOCK
    stage++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waits_for, (void *)1);
    pthread_create(&b, NULL, waits_for, (void *)2);
    pthread_mutex_lock(&mutex);
    stage = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
