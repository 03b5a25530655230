/* Peterson's lock for two threads, with sequentially consistent atomics. They may
 * not be reordered, and they order the accesses to the plain counter between
 * them: there is no data race, so no optimiser can break it.
 *
 * $ raddle check examples/peterson_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 2

static atomic_int wants[2];
static atomic_int turn;
static int counter;                     /* protected by the lock */

static void lock(int me)
{
    int other = 1 - me;

    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other)
        continue;
}

static void unlock(int me)
{
    wants[me] = 0;
}

static void *count(void *number)
{
    int me = *(int *)number;

    for (int i = 0; i < ROUNDS; i++) {
        lock(me);
        counter++;
        unlock(me);
    }
    return NULL;
}

int main(void)
{
    int numbers[] = { 0, 1 };
    pthread_t first, second;

    pthread_create(&first, NULL, count, &numbers[0]);
    pthread_create(&second, NULL, count, &numbers[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2 * ROUNDS);
    return 0;
}
