// what: two modules call each other with their own mutex held
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER, cache_mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines, entries;
static void log_line(void) {
    pthread_mutex_lock(&log_mutex); //~ DEADLOCK
    lines++;
    pthread_mutex_unlock(&log_mutex);
}
static void cache_drop(void) {
    pthread_mutex_lock(&cache_mutex); //~ DEADLOCK
    entries = 0;
    pthread_mutex_unlock(&cache_mutex);
}
static void *caches(void *unused) {
    pthread_mutex_lock(&cache_mutex);
    entries++;
    log_line(); //~ DEADLOCK
    pthread_mutex_unlock(&cache_mutex);
    return NULL;
}
static void *logs(void *unused) {
    pthread_mutex_lock(&log_mutex);
    int full = ++lines > 0;
    if (full) cache_drop(); //~ DEADLOCK
    pthread_mutex_unlock(&log_mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, caches, NULL);
    pthread_create(&second, NULL, logs, NULL);
    pthread_join(first, NULL); //~ DEADLOCK
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
