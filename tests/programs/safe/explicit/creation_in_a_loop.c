// what: main creates and joins one thread after the other
// expect: assert=ok
// proved: explicit
// why: there is never more than one of them, and join orders what it did
#include <assert.h>
#include <pthread.h>

static int counter;
static void *thread(void *argument) {
    assert(counter == (int)(long)argument);
    counter++;
    return NULL;
}

int main(void) {
    for (long i = 0; i < 4; i++) {
        pthread_t t;
        pthread_create(&t, NULL, thread, (void *)i);
        pthread_join(t, NULL);
    }
    assert(counter == 4);
    return 0;
}
