// what: the helper has finished before the worker, which it does not join
// expect: race=violated
#include <pthread.h>

static pthread_t worker_thread;
static int product;
static void *worker(void *unused) {
    product = 6; //~ RACE
    return NULL;
}
static void *helper(void *unused) {
    pthread_create(&worker_thread, NULL, worker, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, helper, NULL);
    pthread_join(thread, NULL);
    return product; //~ RACE
}
