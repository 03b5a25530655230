/* A barrier for two threads, used once after each phase of a computation. Those
 * who wait test whether the counter was set back. If the other thread is quick, it
 * has entered the next barrier by then and lowered the counter again: the waiter
 * sleeps on, and both wait forever.
 *
 * $ raddle check examples/barrier.c
 */
#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define PHASES 2

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t complete;
    int missing;                        /* threads that have not come yet */
};

static struct barrier barrier = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .complete = PTHREAD_COND_INITIALIZER,
    .missing = THREADS,
};

static int results[PHASES];

static void barrier_wait(struct barrier *b)
{
    pthread_mutex_lock(&b->lock);
    b->missing--;
    if (b->missing == 0) {
        b->missing = THREADS;
        pthread_cond_broadcast(&b->complete);
    } else {
        while (b->missing != THREADS)
            pthread_cond_wait(&b->complete, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
}

static void *compute(void *first)
{
    for (int phase = 0; phase < PHASES; phase++) {
        if (first != NULL)
            results[phase] = phase + 1;
        barrier_wait(&barrier);
        assert(results[phase] == phase + 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int first;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, compute, i == 0 ? &first : NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
