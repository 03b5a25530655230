// what: two variables, two mutexes, set in two stages; a reader sees only the first stage
// expect: assert=violated
// schedules: 2000
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;
static void *writer(void *unused) {
    pthread_mutex_lock(&first);
    data1 = 1;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    data2 = data1 + 1;
    pthread_mutex_unlock(&second);
    return NULL;
}
static void *reader(void *unused) {
    int seen1, seen2;
    pthread_mutex_lock(&first);
    seen1 = data1;
    pthread_mutex_unlock(&first);
    if (seen1 == 0) return NULL;
    pthread_mutex_lock(&second);
    seen2 = data2;
    pthread_mutex_unlock(&second);
    assert(seen2 == seen1 + 1); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
