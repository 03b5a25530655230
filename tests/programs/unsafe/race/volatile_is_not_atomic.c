// what: volatile does not order threads
// expect: race=violated
#include <pthread.h>

static volatile int flag;
static void *child(void *unused) {
    flag = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    int seen = flag; //~ RACE
    pthread_join(thread, NULL);
    return seen > 1;
}
