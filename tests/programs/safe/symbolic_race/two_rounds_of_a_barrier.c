// what: two rounds of one barrier order what each thread wrote before it, in turn
// expect: race=ok assert=ok
// proved: order
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int mine, others;
static void *first(void *unused) {
    mine = 1;
    pthread_barrier_wait(&barrier);
    others = mine + 1;
    pthread_barrier_wait(&barrier);
    mine = 3;
    return NULL;
}
static void *second(void *unused) {
    pthread_barrier_wait(&barrier);
    int seen = mine;
    pthread_barrier_wait(&barrier);
    assert(seen == 1 && others == 2);
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
