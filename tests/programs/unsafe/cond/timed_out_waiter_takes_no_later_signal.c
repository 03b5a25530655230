// what: a signal after the time-out is lost, although the waiter has not yet returned; the other waiter starves
// expect: deadlock=violated
// why: the first waiter has left the set, takes the token that the signal meant for the other, and no other signal comes
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int tokens;
static void *patient(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!tokens) pthread_cond_wait(&cond, &mutex); //~ DEADLOCK
    tokens--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *hurried(void *unused) {
    struct timespec until = {0, 0};
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&cond, &mutex, &until);
    if (tokens) tokens--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, patient, NULL);
    pthread_create(&second, NULL, hurried, NULL);
    pthread_mutex_lock(&mutex);
    tokens++;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(second, NULL);
    pthread_join(first, NULL); //~ DEADLOCK
    return 0;
}
