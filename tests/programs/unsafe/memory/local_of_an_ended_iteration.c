// what: each thread gets the address of a variable whose iteration has ended before the thread reads it
// expect: memsafety=violated race=violated
#include <pthread.h>

static void *child(void *argument) {
    return *(int *)argument ? argument : NULL; //~ MEMSAFETY RACE
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int id = i; //~ RACE
        pthread_create(&threads[i], NULL, child, &id);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
