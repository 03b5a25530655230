// what: two variables change together under two mutexes taken in one order
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
static int data1 = 10, data2 = 10;
static void *adds(void *unused) {
    pthread_mutex_lock(&ma);
    data1++;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&ma);
    data2++;
    pthread_mutex_unlock(&ma);
    return NULL;
}
static void *more(void *unused) {
    pthread_mutex_lock(&ma);
    pthread_mutex_lock(&mb);
    data1 += 5;
    data2 -= 6;
    pthread_mutex_unlock(&mb);
    pthread_mutex_unlock(&ma);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, adds, NULL);
    pthread_create(&b, NULL, more, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(data1 == 16 && data2 == 5);
    return 0;
}
