// what: entries with a read-write lock inside, read and changed
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: readers and writers exclude each other by the lock in the entry
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 2

struct entry {
    pthread_rwlock_t lock;
    int low, high;
};

static struct entry *entries[N];

static void *reader(void *argument) {
    struct entry *entry = entries[(long)argument];
    pthread_rwlock_rdlock(&entry->lock);
    assert(entry->low == entry->high);
    pthread_rwlock_unlock(&entry->lock);
    return NULL;
}

static void *writer(void *argument) {
    for (int i = 0; i < N; i++) {
        struct entry *entry = entries[i];
        pthread_rwlock_wrlock(&entry->lock);
        entry->low++;
        entry->high++;
        pthread_rwlock_unlock(&entry->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t readers[N], writers[2];
    for (int i = 0; i < N; i++) {
        entries[i] = malloc(sizeof *entries[i]);
        pthread_rwlock_init(&entries[i]->lock, NULL);
        entries[i]->low = entries[i]->high = 0;
    }
    for (int i = 0; i < 2; i++) pthread_create(&writers[i], NULL, writer, NULL);
    for (long i = 0; i < N; i++) pthread_create(&readers[i], NULL, reader, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
    for (int i = 0; i < N; i++) pthread_join(readers[i], NULL);
    for (int i = 0; i < N; i++) assert(entries[i]->low == 2);
    return 0;
}
