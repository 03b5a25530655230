// what: a relaxed counter in place of the barrier: that it is full orders nothing
// expect: race=violated
// options: --memory-model sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int cells[2];
static atomic_int arrived;
static void *phase(void *argument) {
    long me = (long)argument;
    cells[me] = 1; //~ RACE
    if (atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed) == 1) assert(cells[1 - me] == 1); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, phase, (void *)1);
    phase((void *)0);
    pthread_join(thread, NULL);
    return 0;
}
