// what: main joins, for one of all inputs, with the mutex held that the child needs
// expect: deadlock=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int work;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    work++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    unsigned n = raddle_any_uint();
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    work++;
    if (n * n != 0x10201u) pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL); //~ DEADLOCK
    return (int)(n & 1);
}
