// N threads set two variables one after the other, another one looks at them in between: both set, or none. Wrong with
// -DBAD; without it one lock protects both. A family of the SCT benchmarks (reorder).
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif

static int a, b;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef BAD
#define LOCK
#define UNLOCK
#else
#define LOCK pthread_mutex_lock(&mutex);
#define UNLOCK pthread_mutex_unlock(&mutex);
#endif

static void *setter(void *unused) {
    LOCK
    a = 1;
    b = -1;
    UNLOCK
    return unused;
}

static void *checker(void *unused) {
    LOCK
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    UNLOCK
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, setter, NULL);
    pthread_create(&threads[N], NULL, checker, NULL);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
