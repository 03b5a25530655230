// N threads take jobs from a list of 2 N under one lock and add what they did to a total under another one, until there are
// none or they have done three. With -DBAD the total is read before its lock is taken.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static int next, total;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER, sum = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    for (int done = 0; done < 3; done++) {
        pthread_mutex_lock(&list);
        int job = next < 2 * N ? ++next : 0;
        pthread_mutex_unlock(&list);
        if (job == 0) return unused;
#ifdef BAD
        int before = total;
        pthread_mutex_lock(&sum);
#else
        pthread_mutex_lock(&sum);
        int before = total;
#endif
        total = before + 1;
        pthread_mutex_unlock(&sum);
    }
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(total == next);
    return 0;
}
