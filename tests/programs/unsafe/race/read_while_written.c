// what: one thread reads what another writes; nothing orders them
// expect: race=violated
#include <pthread.h>

static int shared;
static void *writer(void *unused) {
    shared = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int seen = shared; //~ RACE
    pthread_join(thread, NULL);
    return seen > 1;
}
