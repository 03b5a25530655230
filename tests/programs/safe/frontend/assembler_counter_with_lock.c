// what: two threads increment a counter in memory by assembler with the prefix `lock`; the one that brings it to 2 sees that
// expect: assert=ok race=ok
#include <assert.h>
#include <pthread.h>

static int counter = 2, last;

static void *worker(void *unused) {
    unsigned char zero;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(counter), "=qm"(zero) : : "memory");
    if (zero) last++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 0 && last == 1);
    return 0;
}
