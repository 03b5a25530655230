// what: two threads count twice each, without a lock
// expect: assert=violated race=violated
// why: both read before either writes
#include <assert.h>
#include <pthread.h>

static int counter;
static void *thread(void *unused) {
    for (int i = 0; i < 2; i++) counter++; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4); //~ ASSERT
    return 0;
}
