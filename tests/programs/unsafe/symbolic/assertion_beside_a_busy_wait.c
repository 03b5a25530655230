// what: a thread sets the flag that main waits for, and fails an assertion after it
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static void *child(void *unused) {
    flag = 1;
    assert(0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    while (!flag) continue;
    pthread_join(thread, NULL);
    return 0;
}
