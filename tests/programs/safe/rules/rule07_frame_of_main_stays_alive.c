// what: a thread uses a local of main after main has returned
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static void *child(void *argument) {
    assert(*(int *)argument == 3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int local = 3;
    pthread_create(&thread, NULL, child, &local);
    return 0;
}
