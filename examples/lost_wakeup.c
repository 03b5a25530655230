/* A reader sleeps on a condition variable until a message has arrived. It tests
 * the flag before it takes the mutex. A signal that comes between the test and
 * the wait wakes up no thread, and the reader sleeps forever.
 *
 * $ raddle check examples/lost_wakeup.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
static atomic_bool arrived;
static int message;

static void *reader(void *unused)
{
    while (!arrived) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&arrival, &lock);
        pthread_mutex_unlock(&lock);
    }
    assert(message == 42);
    return unused;
}

static void *writer(void *unused)
{
    message = 42;
    pthread_mutex_lock(&lock);
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
