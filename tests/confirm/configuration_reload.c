// what: a reload replaces the limit while a worker reads it; both use the lock for everything else
// lint: race 18 31
#include <pthread.h>
#include <stddef.h>

enum { TICKS = 6000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long ticks, work;
static int limit = 100;

static void *reloader(void *unused) {
    for (int tick = 0; tick < TICKS; tick++) {
        pthread_mutex_lock(&lock);
        ticks++;
        pthread_mutex_unlock(&lock);
        if (tick == 3001)
            limit = 50;
    }
    return unused;
}

static void *worker(void *unused) {
    for (int tick = 0; tick < TICKS; tick++) {
        int allowed = 1;
        pthread_mutex_lock(&lock);
        work++;
        int late = work > 5200;
        pthread_mutex_unlock(&lock);
        if (late && tick == 5436)
            allowed = tick % limit;
        if (allowed < 0)
            break;
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, reloader, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
