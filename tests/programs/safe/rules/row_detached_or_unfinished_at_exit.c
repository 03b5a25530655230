// what: threads that are detached, not joined or not finished at exit are no fault
// expect: assert=ok
#include <pthread.h>
#include <sched.h>

static void *child(void *unused) {
    sched_yield();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_detach(a);
    pthread_create(&b, NULL, child, NULL);
    return 0;
}
