// what: the part of the first thread is one element too long
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int buffer[4];
static void *fill(void *argument) {
    int *begin = argument;
    int *end = begin + (begin == buffer ? 3 : 2);
    for (int *p = begin; p != end; p++) *p = (int)(begin - buffer); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, fill, buffer + 2 * i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(buffer[1] == 0 && buffer[2] == 2); //~ ASSERT
    return 0;
}
