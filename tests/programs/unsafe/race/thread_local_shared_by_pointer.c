// what: the address of a thread-local is given to another thread
// expect: race=violated
#include <pthread.h>

static _Thread_local int mine;
static void *child(void *argument) {
    *(int *)argument = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, &mine);
    mine = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
