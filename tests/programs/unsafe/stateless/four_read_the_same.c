// what: main and three threads read before any writes
// expect: assert=violated
// why: three are left between reading and writing, main among them, the fourth runs whole; preemptions: 3
// schedules: 5000
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int zero[4];
static void *add(void *mine) {
    int value = x;
    x = value + 1;
    *(int *)mine = value == 0;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, &zero[i]);
    add(&zero[3]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(zero[0] + zero[1] + zero[2] + zero[3] < 4); //~ ASSERT
    return 0;
}
