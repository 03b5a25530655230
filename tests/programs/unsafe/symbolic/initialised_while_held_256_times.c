// what: a recursive mutex that is held 256 times is held: to initialise it again is a fault
// expect: locks=violated
#include <pthread.h>

static pthread_mutex_t mutex;
int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    for (int i = 0; i < 256; i++) pthread_mutex_lock(&mutex);
    pthread_mutex_init(&mutex, NULL); //~ LOCKS
    return 0;
}
