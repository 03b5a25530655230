// what: main closes a circle of waiting threads only after a join that is possible at once, while a third thread spins
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int light;

static void *idle(void *unused) { return NULL; }

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *spinner(void *unused) {
    for (;;) {
        light = 0;
        light = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, idle, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_create(&c, NULL, spinner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
