// what: main reads what its workers have counted when both are joined
// expect: race=ok
#include <pthread.h>

static int counted[2];
static void *worker(void *argument) {
    for (int i = 0; i < 2; i++) counted[(long)argument]++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int sum = 0;
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        sum += counted[i];
    }
    return sum;
}
