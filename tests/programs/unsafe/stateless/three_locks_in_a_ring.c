// what: three threads, each with its left mutex
// expect: deadlock=violated
// why: a switch when one thread has its first mutex; the two others run until they block; preemptions: 1
#include <pthread.h>

static pthread_mutex_t mutexes[3];
static void dine(int left, int right) {
    pthread_mutex_lock(&mutexes[left]);
    pthread_mutex_lock(&mutexes[right]); //~ DEADLOCK
    pthread_mutex_unlock(&mutexes[right]);
    pthread_mutex_unlock(&mutexes[left]);
}
static void *one(void *unused) {
    dine(0, 1);
    return NULL;
}
static void *two(void *unused) {
    dine(1, 2);
    return NULL;
}
static void *three(void *unused) {
    dine(2, 0);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, three, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
