/* A barrier for two threads, used once after each phase of a computation. Those
 * who wait test whether the round they came in is over. A quick thread that
 * enters the next barrier changes nothing about that.
 *
 * $ raddle check examples/barrier_fixed.c
 */
#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define PHASES 2

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t complete;
    int missing;                        /* threads that have not come yet */
    unsigned round;                     /* raised when all have come */
};

static struct barrier barrier = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .complete = PTHREAD_COND_INITIALIZER,
    .missing = THREADS,
};

static int results[PHASES];

static void barrier_wait(struct barrier *b)
{
    unsigned round;

    pthread_mutex_lock(&b->lock);
    round = b->round;
    b->missing--;
    if (b->missing == 0) {
        b->missing = THREADS;
        b->round++;
        pthread_cond_broadcast(&b->complete);
    } else {
        while (b->round == round)
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
