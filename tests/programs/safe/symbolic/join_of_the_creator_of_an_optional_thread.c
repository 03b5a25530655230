// what: main joins a thread whose child has a number that depends on an input: what the joined thread wrote is there
// expect: assert=ok deadlock=ok race=ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *grandchild(void *unused) {
    return unused;
}

static void *child(void *unused) {
    pthread_t t;
    pthread_mutex_lock(&mutex);
    if (__VERIFIER_nondet_bool()) pthread_create(&t, NULL, grandchild, NULL);
    pthread_create(&t, NULL, grandchild, NULL);
    pthread_mutex_unlock(&mutex);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    assert(done == 1);
    return 0;
}
