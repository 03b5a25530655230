// what: a later thread has a greater number, also where an input decides which threads there are
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static void *child(void *unused) { return NULL; }

int main(void) {
    pthread_t first, second, third;
    int both = raddle_any_bool();
    pthread_create(&first, NULL, child, NULL);
    if (both) pthread_create(&second, NULL, child, NULL);
    pthread_create(&third, NULL, child, NULL);
    assert((unsigned long)first < (unsigned long)third);
    if (both) assert((unsigned long)second < (unsigned long)third);
    return 0;
}
