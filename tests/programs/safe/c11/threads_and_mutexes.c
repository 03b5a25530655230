// what: C11 threads count under a C11 mutex and return ints
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;
static int child(void *argument) {
    mtx_lock(&mutex);
    counter += *(int *)argument;
    mtx_unlock(&mutex);
    return -7;
}

int main(void) {
    thrd_t a, b;
    int value = 4, result;
    assert(mtx_init(&mutex, mtx_plain) == thrd_success);
    assert(thrd_create(&a, child, &value) == thrd_success);
    assert(thrd_create(&b, child, &value) == thrd_success);
    assert(thrd_join(a, &result) == thrd_success && result == -7);
    assert(thrd_join(b, NULL) == thrd_success);
    assert(counter == 8);
    assert(mtx_trylock(&mutex) == thrd_success && mtx_trylock(&mutex) == thrd_busy);
    mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    return 0;
}
