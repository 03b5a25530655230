// what: atomic updates, and an index that one thread alone writes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, tail;
static int slots[8];

static void *produce(void *unused)
{
    atomic_fetch_add(&count, 1);
    for (int i = 0; i < 8; i++) {
        int t = atomic_load(&tail);
        slots[t % 8] = i;
        atomic_store(&tail, t + 1);
    }
    return unused;
}

static void *consume(void *unused)
{
    int now = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &now, now + 1))
        continue;
    while (atomic_load(&tail) == 0)
        continue;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return slots[0];
}
