// what: a barrier for two; both threads come to it on every path
// expect: deadlock=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_barrier_t barrier;
static int sum;
static void *child(void *unused) {
    sum = 1;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int n = raddle_any_int();
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return n == sum;
}
