// what: two threads count twice in atomic sections; none is lost
// expect: assert=ok
// proved: explicit
// why: read and write are one step for all others, and sections order each other
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int counter;
static void *thread(void *unused) {
    for (int i = 0; i < 2; i++) {
        raddle_atomic_begin();
        counter++;
        raddle_atomic_end();
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
