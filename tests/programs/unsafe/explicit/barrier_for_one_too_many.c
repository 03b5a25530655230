// what: two threads wait at a barrier for three
// expect: deadlock=violated
// why: nobody else will come
#include <pthread.h>

static pthread_barrier_t barrier;
static void *thread(void *unused) {
    pthread_barrier_wait(&barrier); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL); //~ DEADLOCK
    pthread_join(b, NULL);
    return 0;
}
