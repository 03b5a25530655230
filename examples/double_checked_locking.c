/* The configuration is loaded by the first caller that needs it. The check is
 * done twice so that later callers need no lock. The pointer is stored last, so
 * this looks right, but the first check is not ordered with that store: it is a
 * data race, and a caller may get the pointer before the contents.
 *
 * $ raddle check examples/double_checked_locking.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
    int workers;
    int queue_length;
};

static struct config *config;
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
    if (config == NULL) {               /* without the lock */
        pthread_mutex_lock(&config_lock);
        if (config == NULL)
            config = load_config();
        pthread_mutex_unlock(&config_lock);
    }
    return config;
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
    free(config);
    return 0;
}
