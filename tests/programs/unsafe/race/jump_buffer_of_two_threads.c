// what: two threads save their places in one jump buffer
// expect: race=violated
#include <pthread.h>
#include <setjmp.h>

static jmp_buf buffer;

static void *child(void *argument) {
    setjmp(buffer); //~ RACE
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    setjmp(buffer); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
