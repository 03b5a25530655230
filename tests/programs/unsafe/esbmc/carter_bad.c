// what: readers count themselves in and out under one mutex and hold another for the group
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
static int a, b;
static void *first(void *unused) {
    pthread_mutex_lock(&m);
    a++;
    if (a == 1) pthread_mutex_lock(&l); //~ DEADLOCK
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //~ DEADLOCK
    a--;
    if (a == 0) pthread_mutex_unlock(&l);
    pthread_mutex_unlock(&m);
    return NULL;
}
static void *second(void *unused) {
    pthread_mutex_lock(&m);
    b++;
    if (b == 1) pthread_mutex_lock(&l); //~ DEADLOCK
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //~ DEADLOCK
    b--;
    if (b == 0) pthread_mutex_unlock(&l);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
