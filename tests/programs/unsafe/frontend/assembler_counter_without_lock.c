// what: two threads increment a counter in memory by assembler without the prefix `lock`
// expect: assert=violated race=ok
// explicit: all=bounded (an access of the processor is weaker than seq_cst)
// why: the processor reads, then writes; an increment of the other thread in between is lost
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused) {
    __asm__ volatile("incl %0" : "+m"(counter));
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
