// what: a failed trylock shows that the writer is inside or after its write, and orders nothing
// expect: race=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void *writer(void *unused) {
    value = 1; //~ RACE
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, writer, NULL);
    if (pthread_mutex_trylock(&mutex) != 0) seen = value; //~ RACE
    else pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen;
}
