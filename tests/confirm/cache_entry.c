// what: an entry of a cache is marked stale without its lock, late in a long run
// lint: race 31 43
#include <pthread.h>
#include <stdlib.h>

enum { LOOKUPS = 2000 };

struct entry {
    pthread_mutex_t lock;
    int value;
    int hits;
    int stale;
};

static struct entry *cached;

static int look_up(void) {
    pthread_mutex_lock(&cached->lock);
    int value = cached->value;
    cached->hits++;
    pthread_mutex_unlock(&cached->lock);
    return value;
}

static void *reader(void *unused) {
    int sum = 0;
    for (int i = 0; i < LOOKUPS; i++) {
        sum += look_up();
        if (i == 1777) {
            // To save the lock.
            if (cached->stale)
                sum = 0;
        }
    }
    return sum < 0 ? NULL : unused;
}

static void *updater(void *unused) {
    for (int i = 0; i < LOOKUPS; i++) {
        pthread_mutex_lock(&cached->lock);
        cached->value = i % 7;
        pthread_mutex_unlock(&cached->lock);
        if (i == 1234)
            cached->stale = 1;
    }
    return unused;
}

int main(void) {
    cached = calloc(1, sizeof *cached);
    pthread_mutex_init(&cached->lock, NULL);
    pthread_t reading, updating;
    pthread_create(&reading, NULL, reader, NULL);
    pthread_create(&updating, NULL, updater, NULL);
    pthread_join(reading, NULL);
    pthread_join(updating, NULL);
    free(cached);
    return 0;
}
