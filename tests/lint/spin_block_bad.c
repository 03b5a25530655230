// what: a mutex is taken and a line printed under a spin lock
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_spinlock_t spin;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
    pthread_spin_lock(&spin);
    pthread_mutex_lock(&lock); //~ LINT blocking-call-under-spinlock
    x++;
    pthread_mutex_unlock(&lock);
    printf("%d\n", x); //~ LINT blocking-call-under-spinlock
    pthread_spin_unlock(&spin);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&spin, 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
