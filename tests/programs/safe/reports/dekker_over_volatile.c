// what: Dekker's idea over volatile variables holds under sequential consistency only, which the proof names
// expect: assert=ok
// options: --property assert
// says: memory is sequentially consistent
// why: the variables race, and whether a real machine keeps their order was not judged
#include <assert.h>
#include <pthread.h>

static volatile int first_wants, second_wants, inside;

static void *first(void *argument) {
    first_wants = 1;
    if (!second_wants) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    first_wants = 0;
    return argument;
}

static void *second(void *argument) {
    second_wants = 1;
    if (!first_wants) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    second_wants = 0;
    return argument;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
