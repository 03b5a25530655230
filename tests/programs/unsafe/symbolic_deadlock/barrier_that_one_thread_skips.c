// what: a barrier for two; for one of all inputs a thread does not come
// expect: deadlock=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_barrier_t barrier;
static int sum;
static void *child(void *unused) {
    sum = 1;
    pthread_barrier_wait(&barrier); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    int n = raddle_any_int();
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    if (n != 123456) pthread_barrier_wait(&barrier); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return n == sum;
}
