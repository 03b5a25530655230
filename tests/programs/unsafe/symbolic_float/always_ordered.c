// what: not every pair of floats is less or equal, or greater
// expect: assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float left, right;
static void *compare(void *unused) {
    assert(left <= right || left > right); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    left = raddle_any_float();
    right = raddle_any_float();
    pthread_create(&thread, NULL, compare, NULL);
    pthread_join(thread, NULL);
    return 0;
}
