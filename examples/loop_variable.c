/* Three workers each add the square of their number to a sum. Each is given the
 * address of the loop variable instead of a number of its own. When a worker reads
 * it, the loop may have gone on: numbers are used twice or not at all.
 *
 * $ raddle check examples/loop_variable.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 3

static atomic_int sum;

static void *worker(void *argument)
{
    int number = *(int *)argument;

    atomic_fetch_add(&sum, number * number);
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    int number;

    for (number = 0; number < WORKERS; number++)
        pthread_create(&workers[number], NULL, worker, &number);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(atomic_load(&sum) == 0 + 1 + 4);
    return 0;
}
