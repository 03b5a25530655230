/* A lock-free stack of nodes from a fixed pool. The top is the number of a node
 * and a version, in one word; each push raises the version. A top that came back
 * has another version, so the compare-and-exchange fails and `pop` tries again.
 *
 * $ raddle check examples/aba_stack_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define EMPTY 0xffffu                   /* no node */

static struct {
    atomic_uint next;                   /* the number of a node, or EMPTY */
} pool[2];

static _Atomic uint64_t top = EMPTY;    /* version << 16 | number */

static void push(unsigned number)
{
    uint64_t old = atomic_load(&top), new;

    do {
        atomic_store(&pool[number].next, (unsigned)(old & 0xffff));
        new = ((old >> 16) + 1) << 16 | number;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static unsigned pop(void)
{
    uint64_t old = atomic_load(&top);
    unsigned number, next;

    do {
        number = old & 0xffff;
        if (number == EMPTY)
            return EMPTY;
        next = atomic_load(&pool[number].next);
    } while (!atomic_compare_exchange_strong(&top, &old, (old & ~UINT64_C(0xffff)) | next));

    assert(atomic_load(&pool[number].next) == next);
    return number;
}

static void *consumer(void *unused)
{
    pop();
    return unused;
}

static void *recycler(void *unused)
{
    unsigned first = pop();
    unsigned second = pop();

    if (second != EMPTY)                /* the second is kept, the first goes back */
        assert(first != second);
    if (first != EMPTY)
        push(first);
    return unused;
}

int main(void)
{
    pthread_t c, r;

    push(0);
    push(1);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&r, NULL, recycler, NULL);
    pthread_join(c, NULL);
    pthread_join(r, NULL);
    return 0;
}
