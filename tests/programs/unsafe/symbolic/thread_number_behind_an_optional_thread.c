// what: the value of a pthread_t is a small number, also where it depends on an input which threads were created before
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static void *child(void *unused) { return NULL; }

int main(void) {
    pthread_t first, second;
    if (raddle_any_bool()) pthread_create(&first, NULL, child, NULL);
    pthread_create(&second, NULL, child, NULL);
    assert((unsigned long)second >= 3000); //~ ASSERT
    return 0;
}
