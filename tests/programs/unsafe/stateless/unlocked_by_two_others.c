// what: two threads give back a mutex that is not theirs, and a third takes it
// expect: locks=violated
// why: whoever gives it back first did not take it; where both come before, they find it free; preemptions: 0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *unused) {
    pthread_mutex_trylock(&mutex);
    return NULL;
}
static void *give(void *unused) {
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, give, NULL);
    pthread_create(&c, NULL, give, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
