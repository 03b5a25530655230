// Settings behind a read-write lock: read by many, written by one.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int level;
static int version;

static int current(void) {
    pthread_rwlock_rdlock(&lock);
    int seen = level;
    pthread_rwlock_unlock(&lock);
    return seen;
}

static void *reader(void *argument) {
    int all = 0;
    for (int i = 0; i < 3; i++)
        all += current();
    return all < 0 ? argument : 0;
}

static void *writer(void *argument) {
    pthread_rwlock_wrlock(&lock);
    level = 2;
    version++;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
