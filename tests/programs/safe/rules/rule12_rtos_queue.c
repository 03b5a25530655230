// what: two tasks exchange numbers and a buffer by queues that are modelled in a file of --models
// expect: assert=ok race=ok deadlock=ok memsafety=ok
// options: --models {folder}/../../../models/own_rtos_queue.c
// why: what was sent is received once and in order, and the buffer goes with the message
#include <assert.h>
#include <pthread.h>

struct rtos_queue { unsigned first, used; int slots[4]; };
int rtos_queue_send(struct rtos_queue *queue, int message, unsigned ticks);
int rtos_queue_receive(struct rtos_queue *queue, int *message, unsigned ticks);
#define FOREVER 0xffffffffu

static struct rtos_queue samples, answers;
static int buffer;

static void *filter(void *unused) {
    int a = 0, b = 0;
    assert(rtos_queue_receive(&samples, &a, FOREVER) == 0);
    assert(rtos_queue_receive(&samples, &b, FOREVER) == 0);
    assert(a == 1 && b == 2);
    buffer = a + b;
    assert(rtos_queue_send(&answers, 1, FOREVER) == 0);
    return unused;
}

int main(void) {
    pthread_t task;
    int ready = 0;
    pthread_create(&task, 0, filter, 0);
    assert(rtos_queue_send(&samples, 1, 0) == 0);
    assert(rtos_queue_send(&samples, 2, 0) == 0);
    while (rtos_queue_receive(&answers, &ready, FOREVER) != 0) {
    }
    assert(ready == 1 && buffer == 3);
    pthread_join(task, 0);
    return 0;
}
