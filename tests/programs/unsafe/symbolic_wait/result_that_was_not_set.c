// what: the result of a thread that returns nothing is used by the thread that joins it
// expect: memsafety=violated
#include <pthread.h>
#include <stddef.h>

static int done;
static void *worker(void *unused) {
    done = 1;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    if (result == NULL) done = 2; //~ MEMSAFETY
    return 0;
}
