// A counter with its lock, both global.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static long sum;

static void *work(void *argument) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        count++;
        sum += i;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_mutex_lock(&lock);
    int seen = count;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return seen < 0;
}
