// what: the helper joins the worker, and main joins the helper: all is ordered
// expect: race=ok
#include <pthread.h>

static pthread_t worker_thread;
static int product;
static void *worker(void *unused) {
    product = 6;
    return NULL;
}
static void *helper(void *unused) {
    pthread_create(&worker_thread, NULL, worker, NULL);
    pthread_join(worker_thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, helper, NULL);
    pthread_join(thread, NULL);
    return product;
}
