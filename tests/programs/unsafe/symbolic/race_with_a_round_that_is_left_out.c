// what: a waiting round reads what is written after its thread has gone on, as a failed trylock tells
// expect: race=violated deadlock=violated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting = 1, leave;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waiter(void *unused) {
    int seen;
    while (waiting == 1) {
        if (leave) {
            pthread_mutex_lock(&mutex);
            return unused;
        }
        seen = data; //~ RACE
    }
    return unused;
}

static void *prober(void *unused) {
    waiting = 2;
    leave = 1;
    if (pthread_mutex_trylock(&mutex) != 0) data = 1; //~ RACE
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, prober, NULL);
    return 0;
}
