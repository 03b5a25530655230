// what: a waiting loop whose thread is younger than the one that it waits for
// expect: assert=ok
// why: its reads before the write are one round, which is dropped, however the threads are ordered
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *wait(void *unused) {
    while (!x) {
    }
    return NULL;
}
static void *write(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t waiter, writer;
    pthread_create(&writer, NULL, write, NULL);
    pthread_create(&waiter, NULL, wait, NULL);
    pthread_join(writer, NULL);
    pthread_join(waiter, NULL);
    return 0;
}
