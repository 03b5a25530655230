// what: a buffer is moved to a larger one under a mutex; the reader takes its address under the same mutex each time
// expect: memsafety=ok race=ok
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;
static void *grower(void *unused) {
    pthread_mutex_lock(&mutex);
    char *larger = calloc(8, 1);
    memcpy(larger, buffer, 4);
    free(buffer);
    buffer = larger;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    buffer = calloc(4, 1);
    pthread_create(&thread, NULL, grower, NULL);
    pthread_mutex_lock(&mutex);
    char *kept = buffer;
    kept[1] = 'x';
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
