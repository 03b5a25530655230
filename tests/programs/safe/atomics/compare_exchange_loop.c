// what: a maximum kept by a compare-exchange loop
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int maximum;
static void *child(void *argument) {
    int mine = (int)(long)argument, seen = atomic_load(&maximum);
    while (seen < mine && !atomic_compare_exchange_strong(&maximum, &seen, mine)) {}
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, (void *)5);
    pthread_create(&b, NULL, child, (void *)3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(maximum == 5);
    return 0;
}
