// what: the mutexes of two shards, found from keys of 32 bits, are taken in ascending order
// expect: deadlock=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t shards[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void rename_key(unsigned old, unsigned fresh) {
    unsigned first = old % 3, second = fresh % 3;
    if (first == second) return;
    if (second < first) first = second, second = old % 3;
    pthread_mutex_lock(&shards[first]);
    pthread_mutex_lock(&shards[second]);
    pthread_mutex_unlock(&shards[second]);
    pthread_mutex_unlock(&shards[first]);
}
static void *child(void *unused) {
    rename_key(raddle_any_uint(), raddle_any_uint());
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    rename_key(raddle_any_uint(), raddle_any_uint());
    pthread_join(thread, NULL);
    return 0;
}
