/* A work-stealing deque after Chase and Lev. The owner pushes and takes tasks at
 * the bottom, a thief steals them from the top. For the last task, owner and
 * thief both claim the top with a compare-and-exchange, and one of them fails.
 * So each task runs exactly once.
 *
 * $ raddle check examples/work_stealing_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 2
#define NONE (-1)

static int tasks[TASKS];                /* large enough: no slot is used twice */
static atomic_int top;                  /* the oldest task */
static atomic_int bottom;               /* one past the youngest task */
static atomic_int runs[TASKS];

static void push(int task)
{
    int b = atomic_load(&bottom);

    tasks[b] = task;
    atomic_store(&bottom, b + 1);
}

static int take(void)
{
    int b = atomic_fetch_sub(&bottom, 1) - 1;
    int t = atomic_load(&top);

    int task = NONE;

    if (t < b)
        return tasks[b];
    if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1))
        task = tasks[b];
    atomic_store(&bottom, b + 1);       /* empty, in either case */
    return task;
}

static int steal(void)
{
    int t = atomic_load(&top);
    int task;

    if (t >= atomic_load(&bottom))
        return NONE;
    task = tasks[t];
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
        return NONE;
    return task;
}

static void run(int task)
{
    if (task != NONE) {
        int before = atomic_fetch_add(&runs[task], 1);
        assert(before == 0);
    }
}

static void *owner(void *unused)
{
    for (int i = 0; i < TASKS; i++)
        push(i);
    for (int i = 0; i < TASKS; i++)
        run(take());
    return unused;
}

static void *thief(void *unused)
{
    run(steal());
    return unused;
}

int main(void)
{
    pthread_t o, t;

    pthread_create(&o, NULL, owner, NULL);
    pthread_create(&t, NULL, thief, NULL);
    pthread_join(o, NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < TASKS; i++)
        assert(atomic_load(&runs[i]) == 1);
    return 0;
}
