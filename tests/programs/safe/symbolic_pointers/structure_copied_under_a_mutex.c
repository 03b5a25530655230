// what: a structure with a pointer and a length is copied under a mutex: both belong together
// expect: memsafety=ok race=ok
#include <pthread.h>

static int four[4], two[2];
static struct slice {
    int *begin;
    long length;
} shared = {two, 2};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    shared.length = 4;
    shared.begin = four;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_lock(&mutex);
    struct slice mine = {shared.begin, shared.length};
    pthread_mutex_unlock(&mutex);
    mine.begin[mine.length - 1] = 1;
    pthread_join(thread, NULL);
    return 0;
}
