// what: a ring of pointers with one producer and one consumer: the slot is written before the index
// expect: assert=ok memsafety=ok race=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int items[2] = {3, 4};
static int *ring[2];
static atomic_uint written;
static void *producer(void *unused) {
    for (unsigned i = 0; i < 2; i++) {
        ring[i] = &items[i];
        written = i + 1;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    unsigned available = written;
    for (unsigned i = 0; i < available; i++) assert(*ring[i] == (int)i + 3);
    pthread_join(thread, NULL);
    return 0;
}
