// what: equal threads draw a slot each, in the order of arrival, and write only there
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int slots[3];

static void *worker(void *unused) {
    int mine = next++;
    slots[mine] = mine + 1;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(slots[0] + slots[1] + slots[2] == 6);
    return 0;
}
