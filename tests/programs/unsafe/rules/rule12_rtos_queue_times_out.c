// what: a task does not look at the result of a wait with a limit, and reads the buffer although the time was up
// expect: assert=violated race=violated
// options: --models {folder}/../../../models/own_rtos_queue.c
// why: the queue may be empty for longer than the ticks; the buffer is then read beside its write
#include <assert.h>
#include <pthread.h>

struct rtos_queue { unsigned first, used; int slots[4]; };
int rtos_queue_send(struct rtos_queue *queue, int message, unsigned ticks);
int rtos_queue_receive(struct rtos_queue *queue, int *message, unsigned ticks);

static struct rtos_queue answers;
static int buffer;

static void *filter(void *unused) {
    buffer = 3;
    rtos_queue_send(&answers, 1, 0);
    return unused;
}

int main(void) {
    pthread_t task;
    int ready = 0;
    pthread_create(&task, 0, filter, 0);
    rtos_queue_receive(&answers, &ready, 10);
    assert(buffer == 3);
    pthread_join(task, 0);
    return 0;
}
