/* The configuration is loaded by the first caller that needs it, and checked
 * twice so that later callers need no lock. The pointer is atomic: a thread
 * that reads it without the lock also sees what was written before the store.
 *
 * $ raddle check examples/double_checked_locking_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int workers;
    int queue_length;
};

static _Atomic(struct config *) config;
static pthread_mutex_t config_lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *load_config(void)
{
    struct config *c = malloc(sizeof *c);

    if (c == NULL)
        abort();
    c->workers = 4;
    c->queue_length = 16;
    return c;
}

static struct config *get_config(void)
{
    struct config *c = atomic_load(&config);

    if (c == NULL) {
        pthread_mutex_lock(&config_lock);
        c = atomic_load(&config);
        if (c == NULL) {
            c = load_config();
            atomic_store(&config, c);
        }
        pthread_mutex_unlock(&config_lock);
    }
    return c;
}

static void *serve(void *unused)
{
    struct config *c = get_config();

    assert(c->workers * 4 == c->queue_length);
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(atomic_load(&config));
    return 0;
}
