// Two structures of one type, each with a lock, and a global total with another one.
#include <pthread.h>

struct cell {
    int value;
    int changes;
    pthread_mutex_t lock;
};

static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static struct cell left = {0, 0, PTHREAD_MUTEX_INITIALIZER};
static struct cell right = {0, 0, PTHREAD_MUTEX_INITIALIZER};

static void change(struct cell *cell, int by) {
    pthread_mutex_lock(&cell->lock);
    cell->value += by;
    cell->changes++;
    pthread_mutex_unlock(&cell->lock);
    pthread_mutex_lock(&total_lock);
    total += by;
    pthread_mutex_unlock(&total_lock);
}

static void *work(void *argument) {
    change(&left, 1);
    change(&right, 2);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
