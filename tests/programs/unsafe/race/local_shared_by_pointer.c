// what: a local of main is written by a thread that has its address
// expect: race=violated
#include <pthread.h>

static void *child(void *argument) {
    *(int *)argument = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    int local = 0;
    pthread_create(&thread, NULL, child, &local);
    local++; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
