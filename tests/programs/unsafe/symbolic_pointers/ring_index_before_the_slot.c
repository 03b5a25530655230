// what: a ring of pointers whose index is raised before the slot is written: a null pointer is taken
// expect: memsafety=violated race=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int items[2] = {3, 4};
static int *ring[2];
static atomic_uint written;
static void *producer(void *unused) {
    for (unsigned i = 0; i < 2; i++) {
        written = i + 1;
        ring[i] = &items[i]; //~ RACE
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    unsigned available = written;
    for (unsigned i = 0; i < available; i++) assert(*ring[i] == (int)i + 3); //~ RACE MEMSAFETY
    pthread_join(thread, NULL);
    return 0;
}
