/* Three workers each add the square of their number to a sum. Each number has a
 * place of its own that does not change while the workers run.
 *
 * $ raddle check examples/loop_variable_fixed.c
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
    int numbers[WORKERS];

    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&workers[i], NULL, worker, &numbers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(atomic_load(&sum) == 0 + 1 + 4);
    return 0;
}
