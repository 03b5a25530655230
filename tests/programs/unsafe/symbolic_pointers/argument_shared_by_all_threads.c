// what: every thread gets the address of the loop variable
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int done[3];
static void *worker(void *argument) {
    int me = *(int *)argument; //~ RACE
    done[me] = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int number;
    for (number = 0; number < 2; number++) //~ RACE
        pthread_create(&threads[number], NULL, worker, &number);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(done[0] && done[1]); //~ ASSERT
    return 0;
}
