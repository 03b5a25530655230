// what: main releases the mutex before it joins the child that needs it
// expect: deadlock=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int work;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
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
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return (int)(n & 1);
}
