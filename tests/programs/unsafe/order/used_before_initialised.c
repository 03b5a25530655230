// what: the worker may start before main has filled its table
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int table[2];
static void *worker(void *unused) {
    assert(table[1] == 2); //~ RACE //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    table[0] = 1;
    table[1] = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
