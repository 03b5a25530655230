// what: each thread counts in its own thread-local variable and adds it up once
// expect: assert=ok
// proved: explicit
// why: nobody sees another's count; the sum is under the mutex
#include <assert.h>
#include <pthread.h>

static _Thread_local int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *thread(void *argument) {
    assert(count == 0);
    for (int i = 0; i < (int)(long)argument; i++) count++;
    assert(count == (int)(long)argument);
    pthread_mutex_lock(&mutex);
    sum += count;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)2);
    pthread_create(&b, NULL, thread, (void *)3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 5 && count == 0);
    return 0;
}
