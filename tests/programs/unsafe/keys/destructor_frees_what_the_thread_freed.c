// what: the thread frees its value and leaves it under the key
// expect: memsafety=violated
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static void release(void *value) {
    free(value); //~ MEMSAFETY
}
static void *child(void *unused) {
    void *value = malloc(8);
    pthread_setspecific(key, value);
    free(value);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, release);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
