// what: the plain write is behind the section that sets the flag
// expect: race=violated
#include <pthread.h>
#include <raddle.h>

static int data, flag;
static void *writer(void *unused) {
    raddle_atomic_begin();
    flag = 1;
    raddle_atomic_end();
    data = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    raddle_atomic_begin();
    int seen = flag;
    raddle_atomic_end();
    if (seen) data++; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
