// what: the id of a thread that was joined is used to cancel it
// expect: locks=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static void *child(void *unused) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    pthread_cancel(thread); //~ LOCKS
    return 0;
}
