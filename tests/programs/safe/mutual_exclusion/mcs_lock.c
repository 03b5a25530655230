// what: the queue lock of Mellor-Crummey and Scott: each thread waits on its own node
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
struct node { struct node *_Atomic next; atomic_int waits; };
static struct node nodes[THREADS];
static struct node *_Atomic tail;
static void enter(int me) {
    struct node *mine = &nodes[me];
    mine->next = NULL;
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        mine->waits = 1;
        before->next = mine;
        while (mine->waits) sched_yield();
    }
}
static void leave(int me) {
    struct node *mine = &nodes[me];
    if (!mine->next) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
        while (!mine->next) sched_yield();
    }
    mine->next->waits = 0;
}

static int shared;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    enter(me);
    shared++;
    leave(me);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(shared == THREADS);
    return 0;
}
