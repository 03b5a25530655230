/* A read-write lock in one word: the number of readers, or -1 for the writer. Two
 * readers use it again and again, one writer wants it once. The lock admits a
 * reader whenever the writer is not inside, so readers who take turns keep the
 * writer out forever.
 *
 * $ raddle check --prop waits=waiting --prop writes=state==WRITER --property 'ltl=[] (waits -> <> writes)' examples/writer_starvation.c
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define WRITER (-1)

static atomic_int state;                /* readers inside, or WRITER */
static atomic_bool waiting;             /* the writer wants to come in */

static void read_lock(void)
{
    int s;

    do
        s = atomic_load(&state);
    while (s == WRITER || !atomic_compare_exchange_strong(&state, &s, s + 1));
}

static void read_unlock(void)
{
    atomic_fetch_sub(&state, 1);
}

static void write_lock(void)
{
    int unlocked = 0;

    atomic_store(&waiting, true);
    while (!atomic_compare_exchange_strong(&state, &unlocked, WRITER))
        unlocked = 0;
    atomic_store(&waiting, false);
}

static void write_unlock(void)
{
    atomic_store(&state, 0);
}

static void *reader(void *unused)
{
    for (;;) {
        read_lock();
        read_unlock();
    }
    return unused;
}

static void *writer(void *unused)
{
    write_lock();
    write_unlock();
    return unused;
}

int main(void)
{
    pthread_t first, second, w;

    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(w, NULL);
    pthread_exit(NULL);                 /* the readers go on */
}
