// what: a mutex is not a queue: the second to ask may be the first to get it
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int asked, got;
static void *child(void *unused) {
    int mine = asked++;
    pthread_mutex_lock(&mutex);
    assert(got++ == mine); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
