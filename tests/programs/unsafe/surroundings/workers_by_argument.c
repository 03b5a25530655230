// what: so many workers as the first argument says count without a lock
// expect: assert=violated race=violated
// options: --args 2
// why: without an argument there is no worker, and nothing goes wrong
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int count;

static void *work(void *unused) {
    count++; //~ RACE
    return unused;
}

int main(int argc, char **argv) {
    int workers = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t threads[4];
    if (workers > 4) workers = 4;
    for (int i = 0; i < workers; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < workers; i++) pthread_join(threads[i], NULL);
    assert(count == workers);
    return 0;
}
