// what: a block is put into a slot under a mutex; the thread that takes it frees it
// expect: memsafety=ok race=ok
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *slot;
static void *producer(void *unused) {
    int *block = malloc(sizeof *block);
    *block = 1;
    pthread_mutex_lock(&mutex);
    slot = block;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_mutex_lock(&mutex);
    int *mine = slot;
    slot = NULL;
    pthread_mutex_unlock(&mutex);
    if (mine) {
        int read = *mine;
        (void)read;
        free(mine);
    }
    pthread_join(thread, NULL);
    return 0;
}
