// what: pthread_detach after the creation, by the parent or by the thread itself
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static void *plain(void *unused) { return NULL; }
static void *detaches_itself(void *unused) {
    assert(pthread_detach(pthread_self()) == 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, plain, NULL);
    pthread_create(&second, NULL, detaches_itself, NULL);
    assert(pthread_detach(first) == 0);
    return 0;
}
