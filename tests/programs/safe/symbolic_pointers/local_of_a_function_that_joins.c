// what: a thread uses a local of the function that created it; the function joins it before it returns
// expect: memsafety=ok race=ok assert=ok
#include <assert.h>
#include <pthread.h>

static void *child(void *argument) {
    int *local = argument;
    *local += 1;
    return NULL;
}
static pthread_t start(void) {
    pthread_t thread;
    int local = 1;
    pthread_create(&thread, NULL, child, &local);
    pthread_join(thread, NULL);
    assert(local == 2);
    return thread;
}

int main(void) {
    pthread_t thread = start();
    (void)thread;
    return 0;
}
