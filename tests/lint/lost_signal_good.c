// what: the flag is set with the mutex, the signal comes after its release
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int done;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load(&done))
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    atomic_store(&done, 1);
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&ready);
    pthread_join(t, NULL);
    return 0;
}
