// what: an atomic counter that is read and stored in two steps
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *raise(void *unused)
{
    int now = atomic_load(&count);
    atomic_store(&count, now + 1); //~ LINT atomic-read-then-write
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, raise, NULL);
    pthread_create(&b, NULL, raise, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
