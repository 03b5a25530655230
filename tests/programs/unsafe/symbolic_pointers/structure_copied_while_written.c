// what: a structure with a pointer and a length is copied without the mutex: the length may be that of the longer array
// expect: memsafety=violated race=violated
#include <pthread.h>

static int four[4], two[2];
static struct slice {
    int *begin;
    long length;
} shared = {two, 2};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    shared.length = 4; //~ RACE
    shared.begin = four; //~ RACE
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    struct slice mine = {shared.begin, shared.length}; //~ RACE
    mine.begin[mine.length - 1] = 1; //~ MEMSAFETY
    pthread_join(thread, NULL);
    return 0;
}
