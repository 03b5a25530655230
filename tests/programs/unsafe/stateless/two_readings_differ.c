// what: a variable changes between two readings
// expect: assert=violated
// why: a switch between the readings; preemptions: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *read(void *unused) {
    int one = x;
    int two = x;
    assert(one == two); //~ ASSERT
    return NULL;
}
static void *write(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, read, NULL);
    pthread_create(&b, NULL, write, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
