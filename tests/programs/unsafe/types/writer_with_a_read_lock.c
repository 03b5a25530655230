// what: the writer holds the lock to read
// expect: race=violated
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *reader(void *p) {
    pthread_rwlock_rdlock(&l);
    int seen = x; //~ RACE
    pthread_rwlock_unlock(&l);
    return (void *)(long)seen;
}
static void *writer(void *p) {
    pthread_rwlock_rdlock(&l);
    x = 1; //~ RACE
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
