// what: a queue lock in which a thread takes its predecessor's permission for its own
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
struct node { struct node *_Atomic next; atomic_int go; };
static struct node nodes[THREADS];
static struct node *_Atomic tail;
static void enter(int me) {
    struct node *mine = &nodes[me];
    struct node *before = atomic_exchange(&tail, mine);
    if (before) before->next = mine;
    else mine->go = 1;
    if (before && before->go) return;
    while (!mine->go) sched_yield();
}
static void leave(int me) {
    struct node *mine = &nodes[me];
    struct node *expected = mine;
    if (mine->next || !atomic_compare_exchange_strong(&tail, &expected, NULL)) {
        while (!mine->next) sched_yield();
        mine->next->go = 1;
    }
}

static int shared;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    enter(me);
    shared++; //~ RACE
    leave(me);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(shared == THREADS); //~ ASSERT
    return 0;
}
