// what: the producer still writes to a block that the consumer may have freed
// expect: memsafety=violated race=violated
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
    *block = 2; //~ RACE MEMSAFETY
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
        int read = *mine; //~ RACE
        (void)read;
        free(mine); //~ RACE
    }
    pthread_join(thread, NULL);
    return 0;
}
