// what: main reads the count of the second worker when only the first is joined
// expect: race=violated
#include <pthread.h>

static int counted[2];
static void *worker(void *argument) {
    for (int i = 0; i < 2; i++) counted[(long)argument]++; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int sum = 0;
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        sum += counted[1 - i]; //~ RACE
    }
    return sum;
}
