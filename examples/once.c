/* A table is set up by the first thread that needs it. An atomic flag makes sure
 * that only one thread does it. But the others do not wait for the end of it:
 * they see the flag, go on and use a table that is not there yet.
 *
 * $ raddle check --property memsafety examples/once.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE 4

static atomic_flag claimed = ATOMIC_FLAG_INIT;
static int *_Atomic squares;

static void set_up(void)
{
    int *table = malloc(SIZE * sizeof *table);

    if (table == NULL)
        abort();
    for (int i = 0; i < SIZE; i++)
        table[i] = i * i;
    atomic_store(&squares, table);
}

static int square(int number)
{
    if (!atomic_flag_test_and_set(&claimed))
        set_up();
    return atomic_load(&squares)[number];
}

static void *user(void *unused)
{
    assert(square(3) == 9);
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, user, NULL);
    pthread_create(&second, NULL, user, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(atomic_load(&squares));
    return 0;
}
