// what: the address of a thread-local is used after its thread has ended
// expect: memsafety=violated
#include <pthread.h>

static _Thread_local int mine = 1;
static void *child(void *unused) { return &mine; }

int main(void) {
    pthread_t thread;
    void *address;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, &address);
    return *(int *)address; //~ MEMSAFETY
}
