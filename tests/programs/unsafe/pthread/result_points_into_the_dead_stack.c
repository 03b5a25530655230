// what: a thread returns the address of its own local
// expect: memsafety=violated
#include <pthread.h>

static void *child(void *unused) {
    int local = 5;
    int *volatile address = &local;
    return address;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, &result);
    return *(int *)result; //~ MEMSAFETY
}
