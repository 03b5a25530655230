// what: threads are created in a loop and given the address of its variable
// expect: assert=violated race=violated
// why: a thread that starts late reads the value after the loop
#include <assert.h>
#include <pthread.h>

static void *thread(void *argument) {
    int number = *(int *)argument; //~ RACE
    assert(number < 2); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, &i); //~ RACE
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
