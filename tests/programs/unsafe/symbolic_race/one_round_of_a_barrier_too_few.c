// what: what is read after the second round of a barrier is written after it, too
// expect: race=violated
#include <pthread.h>

static pthread_barrier_t barrier;
static int mine, seen;
static void *first(void *unused) {
    mine = 1;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    mine = 3; //~ RACE
    return NULL;
}
static void *second(void *unused) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    seen = mine; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
