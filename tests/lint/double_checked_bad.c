// what: a table that is made at its first use, tested without the lock
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static int *get(void)
{
    if (!table) { //~ LINT double-checked-locking
        pthread_mutex_lock(&lock);
        if (!table)
            table = calloc(8, sizeof *table);
        pthread_mutex_unlock(&lock);
    }
    return table;
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
