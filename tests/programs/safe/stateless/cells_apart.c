// what: four threads write a cell each
// expect: assert=ok race=ok deadlock=ok
// why: one class
#include <assert.h>
#include <pthread.h>

static int cells[4];
static void *fill(void *cell) {
    *(int *)cell = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, fill, &cells[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert(cells[0] + cells[1] + cells[2] + cells[3] == 4);
    return 0;
}
