// what: main closes what the worker still uses; every access is atomic
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_open = 1;
static void *worker(void *unused) {
    if (is_open) assert(is_open); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    is_open = 0;
    pthread_join(thread, NULL);
    return 0;
}
