// what: pthread_once runs its routine once, and everyone sees what it did
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, value;
static void initialise(void) {
    runs++;
    value = 7;
}
static void *child(void *unused) {
    pthread_once(&once, initialise);
    assert(value == 7 && runs == 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(runs == 1);
    return 0;
}
