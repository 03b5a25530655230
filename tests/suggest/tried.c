// A lock that one thread only tries.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static int skipped_rounds;

static void *busy(void *argument) {
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *idle(void *argument) {
    if (pthread_mutex_trylock(&lock) == 0) {
        done++;
        skipped_rounds = 0;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, busy, 0);
    pthread_create(&b, 0, idle, 0);
    pthread_create(&c, 0, idle, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
