// what: a read-write lock that prefers writers: a waiting writer keeps readers out, which the model does not do
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
    pthread_rwlockattr_t attributes;
    pthread_rwlock_t lock;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes); //~ UNSUPPORTED
    return 0;
}
