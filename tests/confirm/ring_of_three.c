// what: three threads hand work on in a ring; each takes its own lock, and once the next one beside it
// lint: deadlock 20
#include <pthread.h>
#include <stddef.h>

enum { ROUNDS = 900 };

struct station {
    pthread_mutex_t lock;
    int items;
};

static struct station first = {PTHREAD_MUTEX_INITIALIZER, 0}, second = {PTHREAD_MUTEX_INITIALIZER, 0},
                      third = {PTHREAD_MUTEX_INITIALIZER, 0};

static void work(struct station *own, struct station *next, int when) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&own->lock);
        if (round == when) {
            pthread_mutex_lock(&next->lock);
            next->items++;
            own->items--;
            pthread_mutex_unlock(&next->lock);
        } else {
            own->items++;
        }
        pthread_mutex_unlock(&own->lock);
    }
}

static void *work_first(void *unused) {
    work(&first, &second, 333);
    return unused;
}

static void *work_second(void *unused) {
    work(&second, &third, 612);
    return unused;
}

static void *work_third(void *unused) {
    work(&third, &first, 845);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, work_first, NULL);
    pthread_create(&threads[1], NULL, work_second, NULL);
    pthread_create(&threads[2], NULL, work_third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
