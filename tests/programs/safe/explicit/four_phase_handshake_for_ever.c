// what: request and acknowledge in four phases between two threads, for ever; the data are stable in between
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the sender writes only while both wires are low, the receiver reads only while the request is high
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, acknowledge;
static int data;
static void *receiver(void *unused) {
    for (int expected = 1;; expected = 1 - expected) {
        while (!request) {
        }
        assert(data == expected);
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
        data = next;
        request = 1;
        while (!acknowledge) {
        }
        request = 0;
        while (acknowledge) {
        }
    }
    return 0;
}
