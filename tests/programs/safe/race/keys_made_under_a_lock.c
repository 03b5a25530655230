// what: the same with a lock around: what the number of the key tells is ordered
// expect: race=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
// proved: stateless
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t one, other;
static int data;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_key_create(&one, NULL);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    pthread_key_create(&other, NULL);
    if (other != 0) data = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
