// what: a loop that ends at a deadline, or when a flag is set, with a log of the time
// expect: assert=ok
// auto: overflow=bounded (the same)
// explicit: overflow=unknown (nothing bounds how often the limit is moved)
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done, seen;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    time_t limit = time(NULL) + 5, next = time(NULL);
    while (!seen && time(NULL) < limit) {
        pthread_mutex_lock(&m);
        seen = done;
        pthread_mutex_unlock(&m);
        if (time(NULL) >= next) next += 1;
    }
    printf("%ld\n", (long)limit);
    assert(seen == 0 || seen == 1);
    pthread_join(t, NULL);
    return 0;
}
