// what: with a reader inside and a writer waiting, another reader may still enter first
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int writer_asks, written;
static void *writer(void *unused) {
    writer_asks = 1;
    pthread_rwlock_wrlock(&lock);
    written = 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}
static void *reader(void *unused) {
    int asks = writer_asks;
    pthread_rwlock_rdlock(&lock);
    if (asks) assert(written); //~ ASSERT
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
