// what: one thread uses an atomic operation, the other a plain write
// expect: race=violated
#include <pthread.h>

static int shared;
static void *child(void *unused) {
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    shared = 5; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
