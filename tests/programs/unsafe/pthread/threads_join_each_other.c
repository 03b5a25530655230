// what: two threads wait for each other's end
// expect: deadlock=violated
#include <pthread.h>

static pthread_t first, second;
static pthread_mutex_t ready = PTHREAD_MUTEX_INITIALIZER;
static void *joins_second(void *unused) {
    pthread_mutex_lock(&ready);
    pthread_mutex_unlock(&ready);
    pthread_join(second, NULL); //~ DEADLOCK
    return NULL;
}
static void *joins_first(void *unused) {
    pthread_mutex_lock(&ready);
    pthread_mutex_unlock(&ready);
    pthread_join(first, NULL);
    return NULL;
}

int main(void) {
    pthread_mutex_lock(&ready);
    pthread_create(&first, NULL, joins_second, NULL);
    pthread_create(&second, NULL, joins_first, NULL);
    pthread_mutex_unlock(&ready);
    pthread_exit(NULL);
}
