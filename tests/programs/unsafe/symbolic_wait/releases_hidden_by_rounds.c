// what: a thread stores again what others have stored, so that a reader synchronises with it and not with them
// expect: race=violated
// why: the reader knows by a failed try that the first thread is done; each of its stores is hidden by a round of the other one
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int a[3];
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    data = 1; //~ RACE
    a[0] = 0;
    a[1] = 0;
    a[2] = 0;
    pthread_mutex_lock(&mutex);
    return NULL;
}

static void *rewriter(void *unused) {
    while (raddle_any_bool()) {
        int k = raddle_any_bool() ? 0 : raddle_any_bool() ? 1 : 2;
        a[k] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, rewriter, NULL);
    if (pthread_mutex_trylock(&mutex) != 0) {
        int sum = a[0] + a[1] + a[2];
        if (sum == 0) data = 2;
    }
    return 0;
}
