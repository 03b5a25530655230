// what: trylock of a free mutex always succeeds
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutex_trylock(&mutex) == 0);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
