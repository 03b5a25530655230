// what: the first check is made without the lock
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *instance;
static void *get(void *unused) {
    if (!instance) { //~ RACE
        pthread_mutex_lock(&mutex);
        if (!instance) {
            int *fresh = malloc(sizeof *fresh);
            *fresh = 1;
            instance = fresh; //~ RACE
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
