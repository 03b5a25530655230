// what: two floats that are neither less or equal nor greater: one of them is not a number
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float left, right;
static void *compare(void *unused) {
    if (!(left <= right) && !(left > right)) assert(left != left || right != right);
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
