// what: a flag that is set too early tells the popper that there is something to pop
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int top;
static atomic_int filled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *pusher(void *unused) {
    filled = 1;
    pthread_mutex_lock(&mutex);
    top++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *popper(void *unused) {
    if (!filled) return NULL;
    pthread_mutex_lock(&mutex);
    assert(top > 0); //~ ASSERT
    top--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pusher, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
