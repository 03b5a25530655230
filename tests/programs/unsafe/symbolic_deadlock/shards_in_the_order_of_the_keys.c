// what: the mutexes of two shards are taken in the order of the keys, which are inputs
// expect: deadlock=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t shards[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void rename_key(unsigned old, unsigned fresh) {
    unsigned first = old % 3, second = fresh % 3;
    if (first == second) return;
    pthread_mutex_lock(&shards[first]);
    pthread_mutex_lock(&shards[second]); //~ DEADLOCK
    pthread_mutex_unlock(&shards[second]);
    pthread_mutex_unlock(&shards[first]);
}
static void *child(void *unused) {
    rename_key(raddle_any_uint(), raddle_any_uint()); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    rename_key(raddle_any_uint(), raddle_any_uint()); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
