// what: atomic additions are not lost
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static void *child(void *unused) {
    atomic_fetch_add(&counter, 1);
    counter++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
