// what: two threads hand a block over by a lock; whoever comes second frees it, and main waits for both
// expect: leak=ok
// engines: explicit stateless
// proved: explicit stateless
// options: --property leak --property memsafety
// why: nothing happens beside the end of the process, so its order is that of the joins
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *hand_over(void *unused) {
    pthread_mutex_lock(&lock);
    if (!block) {
        block = malloc(sizeof *block);
    } else {
        free(block);
        block = 0;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, hand_over, 0);
    pthread_create(&second, 0, hand_over, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
