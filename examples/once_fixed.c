/* A table is set up by the first thread that needs it, by `call_once` of C11. The
 * others wait until it is complete, and see all of it.
 *
 * $ raddle check examples/once_fixed.c
 */
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

#define SIZE 4

static once_flag once = ONCE_FLAG_INIT;
static int *squares;

static void set_up(void)
{
    squares = malloc(SIZE * sizeof *squares);
    if (squares == NULL)
        abort();
    for (int i = 0; i < SIZE; i++)
        squares[i] = i * i;
}

static int square(int number)
{
    call_once(&once, set_up);
    return squares[number];
}

static int user(void *unused)
{
    (void)unused;
    assert(square(3) == 9);
    return 0;
}

int main(void)
{
    thrd_t first, second;

    thrd_create(&first, user, NULL);
    thrd_create(&second, user, NULL);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    free(squares);
    return 0;
}
