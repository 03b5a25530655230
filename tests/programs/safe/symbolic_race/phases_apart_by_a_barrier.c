// what: each thread writes its cell before the barrier and reads the other behind it
// expect: race=ok assert=ok
#include <assert.h>
#include <pthread.h>

static int cells[2];
static pthread_barrier_t barrier;
static void *phase(void *argument) {
    long me = (long)argument;
    cells[me] = 1;
    pthread_barrier_wait(&barrier);
    assert(cells[1 - me] == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, phase, (void *)1);
    phase((void *)0);
    pthread_join(thread, NULL);
    return 0;
}
