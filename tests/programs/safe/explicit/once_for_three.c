// what: three threads call pthread_once; the routine runs once and before all of them go on
// expect: assert=ok
// proved: explicit
// why: that is what pthread_once promises
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) { made++; }
static void *thread(void *unused) {
    pthread_once(&once, make);
    assert(made == 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    thread(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
