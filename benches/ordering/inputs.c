// N threads add inputs between 0 and 9 to a sum under a lock, and main adds the same in sequence. With -DBAD the lock is
// missing.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

extern int __VERIFIER_nondet_int(void);
static int sum, input[N];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
    long me = (long)argument;
#ifdef BAD
    sum += input[me];
#else
    pthread_mutex_lock(&mutex);
    sum += input[me];
    pthread_mutex_unlock(&mutex);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int expected = 0;
    for (int i = 0; i < N; i++) {
        int value = __VERIFIER_nondet_int();
        if (value < 0 || value > 9) return 0;
        input[i] = value;
        expected += value;
    }
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(sum == expected);
    return 0;
}
