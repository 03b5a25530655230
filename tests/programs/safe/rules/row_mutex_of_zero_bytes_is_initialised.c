// what: a global, a calloc'ed and a memset mutex are initialised mutexes
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t global;

int main(void) {
    pthread_mutex_t *heap = calloc(1, sizeof *heap), local;
    memset(&local, 0, sizeof local);
    assert(pthread_mutex_lock(&global) == 0 && pthread_mutex_unlock(&global) == 0);
    assert(pthread_mutex_lock(heap) == 0 && pthread_mutex_unlock(heap) == 0);
    assert(pthread_mutex_lock(&local) == 0 && pthread_mutex_unlock(&local) == 0);
    free(heap);
    return 0;
}
