// what: relocking a normal mutex is lock misuse and a self-deadlock
// expect: locks=violated deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void inner(void) {
    pthread_mutex_lock(&mutex); //~ LOCKS //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
    return 0;
}
