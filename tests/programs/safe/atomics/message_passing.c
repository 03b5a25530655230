// what: a plain value is handed over by an atomic flag
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;
static void *sender(void *unused) {
    message = 42;
    atomic_store(&sent, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    if (atomic_load(&sent)) assert(message == 42);
    pthread_join(thread, NULL);
    return 0;
}
