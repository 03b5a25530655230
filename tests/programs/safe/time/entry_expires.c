// what: an entry of a cache that expires: a comparison of times decides, and either way is right
// expect: assert=ok
// explicit: overflow=unknown (nothing bounds how often a deadline is moved)
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { struct timespec expires; int value, valid; } entry;

static int before(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void *put(void *arg) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&m);
    entry.value = 7;
    entry.valid = 1;
    entry.expires = now;
    entry.expires.tv_sec += 10;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *get(void *arg) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&m);
    if (entry.valid && !before(&now, &entry.expires)) entry.valid = entry.value = 0;
    assert(!entry.valid || entry.value == 7);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_create(&c, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
