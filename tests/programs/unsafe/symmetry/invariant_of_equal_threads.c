// what: equal threads do not exclude each other; the invariant counts who is inside
// expect: invariant=violated
// engines: explicit stateless
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int inside, taken;
static int at_most_one(void) { return inside <= 1; }

static void *worker(void *unused) {
    inside++;
    inside--;
    return NULL;
}

int main(void) {
    raddle_invariant(at_most_one);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
