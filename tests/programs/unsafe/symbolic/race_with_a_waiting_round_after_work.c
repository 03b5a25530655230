// what: a loop with two phases; in the second a waiting round reads what is written after the thread has gone on
// expect: race=violated deadlock=violated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waiter(void *unused) {
    int phase = 0, seen;
    while (1) {
        if (phase == 0) {
            if (!first) continue;
            phase = 1;
            continue;
        }
        if (second) break;
        seen = data; //~ RACE
    }
    pthread_mutex_lock(&mutex);
    return unused;
}

static void *prober(void *unused) {
    // A failed attempt tells that the mutex is held, and orders nothing.
    if (pthread_mutex_trylock(&mutex) != 0) data = 1; //~ RACE
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, prober, NULL);
    first = 1;
    second = 1;
    return 0;
}
