// what: values go round a ring of variables; an assertion expects that all have arrived
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x1 = 1, x2 = 2, x3 = 3, done;
static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    x1 = (x3 + 1) % 4;
    done++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    x2 = x1;
    done++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *check(void *unused) {
    pthread_mutex_lock(&mutex);
    if (done == 2) assert(x1 == x2); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, check, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
