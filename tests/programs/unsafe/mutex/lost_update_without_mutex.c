// what: two threads add one without a lock; one addition is lost
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int counter;
static void *child(void *unused) {
    counter = counter + 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
