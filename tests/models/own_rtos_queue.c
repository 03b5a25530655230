/* A model of the message queue of a small real-time system, the worked example of docs/modelling.md.
 *
 * A queue has room for four numbers. To send waits while it is full, to receive while it is empty, for so many ticks: 0 does
 * not wait, RTOS_FOREVER waits without limit. A wait with a limit may always time out. Which of several waiters goes on
 * is any of them, as on a system whose tasks have the same priority.
 */
void __raddle_begin(void);
void __raddle_end(void);
_Noreturn void __raddle_block(int why, const void *object, int owner);
void __raddle_pause(int why, const void *object, int owner, int how);
void __raddle_acquire(const void *object, int channel);
void __raddle_release(const void *object, int channel);
enum { WAIT_OTHER = 9, TIMEOUT = 2 };

enum { RTOS_LENGTH = 4, RTOS_OK = 0, RTOS_TIMEOUT = -1 };
#define RTOS_FOREVER 0xffffffffu

struct rtos_queue { unsigned first, used; int slots[RTOS_LENGTH]; };

/* Waits, or returns because the time is up. Nothing was written in the section before. */
static void wait(struct rtos_queue *queue, unsigned ticks) {
    if (ticks == RTOS_FOREVER) __raddle_block(WAIT_OTHER, queue, 0);
    if (ticks > 0) __raddle_pause(WAIT_OTHER, queue, 0, TIMEOUT);
}

int rtos_queue_send(struct rtos_queue *queue, int message, unsigned ticks) {
    __raddle_begin();
    if (queue->used == RTOS_LENGTH) {
        wait(queue, ticks);
        __raddle_acquire(queue, 0);
        __raddle_end();
        return RTOS_TIMEOUT;
    }
    __raddle_acquire(queue, 0);
    queue->slots[(queue->first + queue->used++) % RTOS_LENGTH] = message;
    __raddle_release(queue, 0);
    __raddle_end();
    return RTOS_OK;
}

int rtos_queue_receive(struct rtos_queue *queue, int *message, unsigned ticks) {
    __raddle_begin();
    if (queue->used == 0) {
        wait(queue, ticks);
        __raddle_acquire(queue, 0);
        __raddle_end();
        return RTOS_TIMEOUT;
    }
    __raddle_acquire(queue, 0);
    int received = queue->slots[queue->first];
    queue->first = (queue->first + 1) % RTOS_LENGTH;
    queue->used--;
    __raddle_release(queue, 0);
    __raddle_end();
    /* An access of the caller, like any other: races on *message are found. */
    *message = received;
    return RTOS_OK;
}
