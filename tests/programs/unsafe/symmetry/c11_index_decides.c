// what: of three C11 threads only the one with index 1 breaks it, and only between the others
// expect: assert=violated
#include <assert.h>
#include <stdint.h>
#include <threads.h>

static mtx_t mutex;
static int trail;

static int worker(void *argument) {
    int index = (int)(intptr_t)argument;
    mtx_lock(&mutex);
    trail = 4 * trail + index;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t threads[3];
    mtx_init(&mutex, mtx_plain);
    for (int i = 0; i < 3; i++) thrd_create(&threads[i], worker, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 3; i++) thrd_join(threads[i], NULL);
    assert(trail != 4 * (4 * 3 + 1) + 2); //~ ASSERT
    return 0;
}
