// what: a thread reads the words of a read-write lock
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *reader(void *unused) {
    for (int i = 0; i < 4; i++)
        if (((volatile int *)&lock)[i]) { data = 2; break; } //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
