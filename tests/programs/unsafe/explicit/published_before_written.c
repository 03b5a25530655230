// what: the flag goes up before the data are there
// expect: assert=violated race=violated
// why: the reader sees the flag and then the old data; write and read are unordered
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;
static void *writer(void *unused) {
    ready = 1;
    data = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (ready) assert(data == 1); //~ ASSERT //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
