// what: a section adds to two elements, and takes them to be different ones
// expect: assert=violated
// explicit: all=unknown (inputs too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int counts[5];
static void *worker(void *unused) {
    unsigned one = raddle_any_uint() % 5, other = raddle_any_uint() % 5;
    __VERIFIER_atomic_begin();
    int before = counts[one];
    counts[one] += 1;
    counts[other] += 2;
    assert(counts[one] == before + 1); //~ ASSERT
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
