// what: the early return of an error path keeps the mutex, and the other thread waits for ever
// expect: deadlock=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned total;
static int add(unsigned size) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    if (size > 0xfffffff0u) {
        return -1;
    }
    total += size;
    pthread_mutex_unlock(&mutex);
    return 0;
}
static void *child(void *unused) {
    add(raddle_any_uint()); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    add(1); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
