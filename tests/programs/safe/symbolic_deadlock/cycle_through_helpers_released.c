// what: the helper gives up its mutex before it calls the other module
// expect: deadlock=ok
#include <pthread.h>

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER, cache_mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines, entries;
static void log_line(void) {
    pthread_mutex_lock(&log_mutex);
    lines++;
    pthread_mutex_unlock(&log_mutex);
}
static void cache_drop(void) {
    pthread_mutex_lock(&cache_mutex);
    entries = 0;
    pthread_mutex_unlock(&cache_mutex);
}
static void *caches(void *unused) {
    pthread_mutex_lock(&cache_mutex);
    entries++;
    log_line();
    pthread_mutex_unlock(&cache_mutex);
    return NULL;
}
static void *logs(void *unused) {
    pthread_mutex_lock(&log_mutex);
    int full = ++lines > 0;
    pthread_mutex_unlock(&log_mutex);
    if (full) cache_drop();
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, caches, NULL);
    pthread_create(&second, NULL, logs, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
