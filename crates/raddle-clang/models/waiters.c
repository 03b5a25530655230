/* The set of threads that wait on one condition variable or barrier.
 *
 * A list through the threads' control blocks, sorted by thread number: the same set is the same state whatever the
 * order of arrival. A thread is in at most one set. All functions are parts of a section of their caller. A thread
 * that a waker took out sees its `waiting` gone and no longer touches the object, which may be destroyed by then.
 */
#include "model.h"

static struct raddle_thread *block_of(int thread) { return (struct raddle_thread *)__raddle_tcb(thread); }

void raddle_waiters_add(int *first) {
    int self = __raddle_self();
    struct raddle_thread *block = block_of(self);
    int *link = first;
    while (*link && *link < self) link = &block_of(*link)->next_waiter;
    block->next_waiter = *link;
    block->waiting = RADDLE_IN_SET;
    *link = self;
}

void raddle_waiters_remove(int *first, int thread) {
    int *link = first;
    while (*link && *link != thread) link = &block_of(*link)->next_waiter;
    if (!*link) return;
    struct raddle_thread *block = block_of(thread);
    *link = block->next_waiter;
    block->next_waiter = 0;
    block->waiting = 0;
}

int raddle_waiters_count(int first) {
    int count = 0;
    for (int thread = first; thread; thread = block_of(thread)->next_waiter) count++;
    return count;
}

int raddle_waiters_at(int first, int index) {
    int thread = first;
    while (index-- > 0) thread = block_of(thread)->next_waiter;
    return thread;
}
