// what: a detached thread is joined
// expect: locks=violated
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static void *child(void *unused) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL); //~ LOCKS
    return 0;
}
