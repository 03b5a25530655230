/* A buffer is shared by two threads; the last one that is done with it frees it.
 * The counter is atomic, but to lower it and to read it again are two steps. Both
 * threads can lower it before either reads it: both see zero and free.
 *
 * $ raddle check examples/reference_count.c
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int references;
    char data[8];
};

static struct buffer *buffer_new(int references)
{
    struct buffer *b = calloc(1, sizeof *b);

    if (b == NULL)
        abort();
    atomic_init(&b->references, references);
    return b;
}

static void buffer_put(struct buffer *b)
{
    atomic_fetch_sub(&b->references, 1);
    if (atomic_load(&b->references) == 0)
        free(b);
}

static void *sender(void *buffer)
{
    buffer_put(buffer);
    return NULL;
}

int main(void)
{
    struct buffer *b = buffer_new(2);
    pthread_t thread;

    pthread_create(&thread, NULL, sender, b);
    buffer_put(b);
    pthread_join(thread, NULL);
    return 0;
}
