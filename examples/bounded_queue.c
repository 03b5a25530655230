/* A bounded queue with a mutex and two condition variables. Producers wait until
 * there is space, consumers until there is an item; each side signals the other.
 * Nothing is wrong: raddle proves it for two producers and one consumer.
 *
 * $ raddle check examples/bounded_queue.c
 */
#include <assert.h>
#include <pthread.h>

#define CAPACITY 2
#define ITEMS 2                         /* of each producer */

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[CAPACITY];
    int first, count;
};

static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->first + q->count) % CAPACITY] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q)
{
    int item;

    pthread_mutex_lock(&q->lock);
    while (q->count == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    item = q->items[q->first];
    q->first = (q->first + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *producer(void *first)
{
    for (int i = 0; i < ITEMS; i++)
        put(&queue, *(int *)first + i);
    return NULL;
}

int main(void)
{
    pthread_t small, large;
    int small_first = 1, large_first = 11;
    int small_last = 0, large_last = 10;

    pthread_create(&small, NULL, producer, &small_first);
    pthread_create(&large, NULL, producer, &large_first);

    for (int i = 0; i < 2 * ITEMS; i++) {       /* the consumer */
        int item = get(&queue);
        int *last = item > 10 ? &large_last : &small_last;

        assert(item == *last + 1);      /* in order, none lost, none twice */
        *last = item;
    }

    pthread_join(small, NULL);
    pthread_join(large, NULL);
    assert(queue.count == 0);
    return 0;
}
