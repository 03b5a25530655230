/* A reader sleeps on a condition variable until a message has arrived. It tests
 * the flag with the mutex held, and the wait releases the mutex and sleeps in
 * one step. So the signal cannot come in between.
 *
 * $ raddle check examples/lost_wakeup_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
static bool arrived;
static int message;

static void *reader(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!arrived)
        pthread_cond_wait(&arrival, &lock);
    assert(message == 42);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    message = 42;
    arrived = true;
    pthread_cond_signal(&arrival);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t r, w;

    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
