// what: a thread-local of main, which no other thread can reach, decides whether main acts between two joins
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_bool(void);

static atomic_int tickets;
static _Thread_local int acts;

static void *worker(void *unused) {
    if (tickets++ == 0)
        for (;;) tickets = 7;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    acts = __VERIFIER_nondet_bool();
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    pthread_join(threads[0], NULL);
    if (acts) assert(0);
    pthread_join(threads[1], NULL);
    return 0;
}
