// what: two threads take two locks in opposite order, one of them for writing each time
// expect: deadlock=violated
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static void *left(void *unused) {
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b); //~ DEADLOCK
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, left, NULL);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_wrlock(&a); //~ DEADLOCK
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
