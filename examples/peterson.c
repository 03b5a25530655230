/* Peterson's lock for two threads, with plain variables as in old textbooks. The
 * code as it is written counts correctly: with `--optimize 0` that is proved. At
 * -O2 the compiler assumes that no other thread changes plain variables, reads
 * `counter` before it takes the lock, and updates are lost. The cause is found
 * without the optimiser too: by default raddle reports the lock as a data race.
 *
 * $ raddle check --property assert --optimize 2 examples/peterson.c
 */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 2

static int wants[2];
static int turn;
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
