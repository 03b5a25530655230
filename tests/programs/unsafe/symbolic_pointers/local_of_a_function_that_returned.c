// what: a thread uses a local of the function that created it, which may have returned
// expect: memsafety=violated
#include <assert.h>
#include <pthread.h>

static void *child(void *argument) {
    int *local = argument;
    *local += 1; //~ MEMSAFETY
    return NULL;
}
static pthread_t start(void) {
    pthread_t thread;
    int local = 1;
    pthread_create(&thread, NULL, child, &local);
    return thread;
}

int main(void) {
    pthread_t thread = start();
    pthread_join(thread, NULL);
    return 0;
}
