// what: two threads each hold one lock for reading and want the other one for writing
// expect: deadlock=violated
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static void *first(void *unused) {
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b); //~ DEADLOCK
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return NULL;
}
static void *second(void *unused) {
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_wrlock(&a); //~ DEADLOCK
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
