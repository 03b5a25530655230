// what: the early return of an error path releases the mutex
// expect: deadlock=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned total;
static int add(unsigned size) {
    pthread_mutex_lock(&mutex);
    if (size > 0xfffffff0u) {
        pthread_mutex_unlock(&mutex);
        return -1;
    }
    total += size;
    pthread_mutex_unlock(&mutex);
    return 0;
}
static void *child(void *unused) {
    add(raddle_any_uint());
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    add(1);
    pthread_join(thread, NULL);
    return 0;
}
