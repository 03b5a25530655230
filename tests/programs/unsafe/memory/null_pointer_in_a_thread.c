// what: a thread follows a pointer that main sets too late
// expect: memsafety=violated
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 1;
static int *_Atomic pointer;
static void *child(void *unused) {
    int *p = pointer;
    return (void *)(long)*p; //~ MEMSAFETY
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pointer = &value;
    pthread_join(thread, NULL);
    return 0;
}
