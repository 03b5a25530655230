/* Two workers take jobs from a queue and sleep while it is empty. To shut down,
 * `main` sets a flag and wakes up all of them. The jobs that are still queued are
 * done first.
 *
 * $ raddle check examples/thread_pool_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define WORKERS 2
#define JOBS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int queued, done;
static bool stopping;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (queued == 0 && !stopping)
            pthread_cond_wait(&change, &lock);
        if (queued == 0)
            break;
        queued--;
        pthread_mutex_unlock(&lock);
        /* the work itself, without the lock */
        pthread_mutex_lock(&lock);
        done++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void submit(void)
{
    pthread_mutex_lock(&lock);
    queued++;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
}

static void shut_down(void)
{
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t workers[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < JOBS; i++)
        submit();
    shut_down();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(done == JOBS);
    return 0;
}
