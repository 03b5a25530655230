// what: three C11 threads that nothing tells apart add under one mutex and are joined in a loop
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int sum;

static int worker(void *unused) {
    mtx_lock(&mutex);
    sum++;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t threads[3];
    mtx_init(&mutex, mtx_plain);
    for (int i = 0; i < 3; i++) thrd_create(&threads[i], worker, NULL);
    for (int i = 0; i < 3; i++) thrd_join(threads[i], NULL);
    assert(sum == 3);
    return 0;
}
