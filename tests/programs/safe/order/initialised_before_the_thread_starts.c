// what: what is written before pthread_create is seen by the child
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static int table[2];
static void *worker(void *unused) {
    assert(table[0] == 1 && table[1] == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    table[0] = 1;
    table[1] = 2;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
