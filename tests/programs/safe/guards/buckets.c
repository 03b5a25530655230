// what: threads insert into a hash table whose buckets have a lock each
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the lock and the bucket have the same index
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 3
#define BUCKETS 3

struct node {
    struct node *next;
    int key;
};

static pthread_mutex_t locks[BUCKETS];
static struct node *heads[BUCKETS];
static int lengths[BUCKETS];

static void insert(int key) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    unsigned bucket = (unsigned)key % BUCKETS;
    pthread_mutex_lock(&locks[bucket]);
    node->next = heads[bucket];
    heads[bucket] = node;
    lengths[bucket]++;
    pthread_mutex_unlock(&locks[bucket]);
}

static void *fill(void *argument) {
    long first = (long)argument;
    insert((int)first);
    insert((int)first + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int all = 0;
    for (int i = 0; i < BUCKETS; i++) all += lengths[i];
    assert(all == 2 * N);
    return 0;
}
