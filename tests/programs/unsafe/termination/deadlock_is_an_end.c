// what: a thread that waits for ever does not run for ever: that is a deadlock, not a matter of termination
// expect: termination=ok deadlock=violated
// engines: explicit
// options: --property termination --property deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); //~ DEADLOCK
    return 0;
}
