// A bounded queue with condition variables; helpers are called with the lock held.
#include <pthread.h>

#define SIZE 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[SIZE];
static int first, count;

static int is_full(void) {
    return count == SIZE;
}

static void append(int item) {
    items[(first + count) % SIZE] = item;
    count++;
}

static int take(void) {
    int item = items[first];
    first = (first + 1) % SIZE;
    count--;
    return item;
}

static void *produce(void *argument) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        while (is_full())
            pthread_cond_wait(&changed, &lock);
        append(i);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *consume(void *argument) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&changed, &lock);
        take();
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
