// what: a table that is made at its first use, behind an atomic pointer
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) table;

static int *get(void)
{
    int *t = atomic_load_explicit(&table, memory_order_acquire);
    if (!t) {
        pthread_mutex_lock(&lock);
        t = atomic_load(&table);
        if (!t) {
            t = calloc(8, sizeof *t);
            atomic_store_explicit(&table, t, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return t;
}

static void *user(void *unused) { get(); return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
