// what: a plain read races with the exchange of a round that waits and changes nothing
// expect: race=violated
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock = 1;
static int copy;
static void *waits(void *unused) {
    while (atomic_exchange(&lock, 1)) { //~ RACE
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    copy = *(int *)&lock; //~ RACE
    atomic_store(&lock, 0);
    pthread_join(thread, 0);
}
