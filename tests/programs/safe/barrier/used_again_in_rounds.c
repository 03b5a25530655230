// what: one barrier, three rounds; in each round both see the other's last value
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int value[2];
static void *child(void *argument) {
    int me = (int)(long)argument;
    for (int round = 1; round <= 3; round++) {
        value[me] = round;
        pthread_barrier_wait(&barrier);
        assert(value[1 - me] == round);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, (void *)1);
    child((void *)0);
    pthread_join(thread, NULL);
    return 0;
}
