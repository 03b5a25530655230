// what: the search for a free block runs past the end of the block table
// expect: memsafety=violated
#include <pthread.h>

enum { BLOCKS = 2, THREADS = 3 };
static int busy[BLOCKS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *create(void *unused) {
    pthread_mutex_lock(&mutex);
    int b = 0;
    while (busy[b]) b++; //~ MEMSAFETY
    busy[b] = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, create, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
