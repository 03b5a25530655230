// what: a mutex is taken before the first thread is created, and given back only for some inputs
// expect: deadlock=violated
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *unused) {
    pthread_mutex_lock(&lock); //~ DEADLOCK
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, take, 0);
    if (__VERIFIER_nondet_int() != 123456) pthread_mutex_unlock(&lock);
    pthread_join(thread, 0); //~ DEADLOCK
}
