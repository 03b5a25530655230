// what: a gate that only a model of the user's explains: it blocks, and it orders what comes before and after it
// expect: assert=ok
// options: --models {folder}/../../../models/own_gate.c
#include <assert.h>
#include <pthread.h>

struct gate { int open; };
void gate_open(struct gate *gate);
void gate_pass(struct gate *gate);

static struct gate gate;
static int prepared;

static void *waiter(void *unused) {
    gate_pass(&gate);
    assert(prepared == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    prepared = 1;
    gate_open(&gate);
    pthread_join(thread, NULL);
    return 0;
}
