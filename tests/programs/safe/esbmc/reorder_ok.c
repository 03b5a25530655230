// what: the same as reorder_bad with both variables under one mutex
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int a = 0, b = 0;
static void *setter(void *unused) {
    pthread_mutex_lock(&mutex);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *checker(void *unused) {
    pthread_mutex_lock(&mutex);
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t s, t, c;
    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&t, NULL, setter, NULL);
    pthread_create(&c, NULL, checker, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    pthread_join(c, NULL);
    return 0;
}
