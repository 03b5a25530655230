// what: the sender does not wait until the acknowledgement is gone, takes the old one for the new, and writes too early
// expect: assert=violated race=violated
// engines: explicit
// why: after the first exchange the sender sees the acknowledgement still up, withdraws its second request and writes
// again while the receiver may be reading
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, acknowledge;
static int data;
static void *receiver(void *unused) {
    for (int expected = 1;; expected = 1 - expected) {
        while (!request) {
        }
        assert(data == expected); //~ ASSERT //~ RACE
        acknowledge = 1;
        while (request) {
        }
        acknowledge = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, NULL);
    for (int next = 1;; next = 1 - next) {
        data = next; //~ RACE
        request = 1;
        while (!acknowledge) {
        }
        request = 0;
    }
    return 0;
}
