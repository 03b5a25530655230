// what: all children get the address of the one loop variable, which may be gone when they read it
// expect: race=violated assert=violated memsafety=violated
#include <assert.h>
#include <pthread.h>

static _Atomic int started[2];
static void *child(void *argument) {
    int number = *(int *)argument; //~ RACE MEMSAFETY
    if (number < 2) started[number] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, child, &i); //~ RACE
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(started[0] && started[1]); //~ ASSERT
    return 0;
}
