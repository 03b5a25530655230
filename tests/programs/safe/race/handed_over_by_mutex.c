// what: ownership of data passes with a flag under a mutex; the data itself is used outside it
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, given;
static void *giver(void *unused) {
    data = 7;
    pthread_mutex_lock(&mutex);
    given = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, giver, NULL);
    pthread_mutex_lock(&mutex);
    int mine = given;
    pthread_mutex_unlock(&mutex);
    if (mine) {
        assert(data == 7);
        data = 8;
    }
    pthread_join(thread, NULL);
    return 0;
}
