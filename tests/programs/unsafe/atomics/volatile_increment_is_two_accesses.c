// what: an increment of a volatile variable that counts as atomic is still a load and a store: no race, but a lost update
// expect: assert=violated
// explicit: race=bounded a relaxed operation was executed, so races that are never pending in one state may be missed
// options: --volatile-is-atomic --memory-model sc
// says: volatile loads and stores of the sources are atomic, relaxed (--volatile-is-atomic)
#include <assert.h>
#include <pthread.h>

static volatile int count;

static void *child(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    count++;
    pthread_join(thread, 0);
    assert(count == 2); //~ ASSERT
    return 0;
}
