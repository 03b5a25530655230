/* The ring buffer as most would write it: each side reads the other's index with
 * acquire and stores its own with release. That is correct, but raddle explores
 * sequentially consistent executions only. Where weaker orders occur it says so,
 * and claims no proof; with `--memory-model sc` every row is proved.
 *
 * $ raddle check --engine stateless examples/ring_buffer_acquire.c
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
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

    if (t - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
        return false;
    slots[t % SLOTS] = item;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return true;
}

static bool get(int *item)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

    if (atomic_load_explicit(&tail, memory_order_acquire) == h)
        return false;
    *item = slots[h % SLOTS];
    atomic_store_explicit(&head, h + 1, memory_order_release);
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
