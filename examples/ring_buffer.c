/* A ring buffer between one producer and one consumer. Neither takes a lock:
 * only the producer writes `tail`, only the consumer writes `head`. The producer
 * raises `tail` before it fills the slot, so the consumer can read a slot that
 * has not been written yet.
 *
 * $ raddle check examples/ring_buffer.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 2
#define ITEMS 3

static int slots[SLOTS];
static atomic_uint head;                /* the next slot to read */
static atomic_uint tail;                /* the next slot to write */

static bool put(int item)
{
    unsigned t = atomic_load(&tail);

    if (t - atomic_load(&head) == SLOTS)
        return false;
    atomic_store(&tail, t + 1);         /* too early */
    slots[t % SLOTS] = item;
    return true;
}

static bool get(int *item)
{
    unsigned h = atomic_load(&head);

    if (atomic_load(&tail) == h)
        return false;
    *item = slots[h % SLOTS];
    atomic_store(&head, h + 1);
    return true;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i))
            continue;
    return unused;
}

static void *consumer(void *unused)
{
    int item;

    for (int i = 1; i <= ITEMS; i++) {
        while (!get(&item))
            continue;
        assert(item == i);
    }
    return unused;
}

int main(void)
{
    pthread_t p, c;

    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
