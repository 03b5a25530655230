// what: the block is freed while the other thread is about to use it
// expect: memsafety=violated
// why: a switch between the question and the use; preemptions: 1
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *block;
static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    int *mine = block;
    pthread_mutex_unlock(&mutex);
    if (mine) {
        pthread_mutex_lock(&mutex);
        *mine += 1; //~ MEMSAFETY
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *drop(void *unused) {
    pthread_mutex_lock(&mutex);
    free(block);
    block = NULL;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    block = calloc(1, sizeof *block);
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
