// what: a plain flag announces plain data; the value is right under sequential consistency, the accesses race
// expect: race=violated assert=ok
// why: nothing orders the write of the flag and its read
#include <assert.h>
#include <pthread.h>

static int ready, data;
static void *writer(void *unused) {
    data = 1; //~ RACE
    ready = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (ready) assert(data == 1); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
