/* A queue with its lock inside, and a counter under a lock of its own. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
static struct {
    pthread_mutex_t lock;
    int items[4], head, tail, count;
} q = {PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int push(int value) {
    int good = 0;
    pthread_mutex_lock(&q.lock);
    if (q.count < 4) {
        q.items[q.tail] = value;
        q.tail = (q.tail + 1) % 4;
        q.count++;
        good = 1;
    }
    pthread_mutex_unlock(&q.lock);
    return good;
}

static int pop(void) {
    int value = -1;
    pthread_mutex_lock(&q.lock);
    if (q.count > 0) {
        value = q.items[q.head];
        q.head = (q.head + 1) % 4;
        q.count--;
    }
    pthread_mutex_unlock(&q.lock);
    return value;
}

static void *worker(void *unused) {
    for (int i = 0; i < 2; i++) {
        push(i + 1);
        if (pop() > 0) {
            pthread_mutex_lock(&stats);
            done++;
            pthread_mutex_unlock(&stats);
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    assert(done <= 2 * N);
    return 0;
}
