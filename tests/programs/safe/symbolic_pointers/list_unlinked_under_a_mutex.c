// what: neighbours are removed from a doubly linked list under one mutex: the ends stay linked
// expect: assert=ok race=ok
#include <assert.h>
#include <pthread.h>

struct node {
    struct node *next, *previous;
};
static struct node nodes[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *removes(void *argument) {
    struct node *node = argument;
    pthread_mutex_lock(&mutex);
    node->previous->next = node->next;
    node->next->previous = node->previous;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 3; i++) nodes[i].next = &nodes[i + 1], nodes[i + 1].previous = &nodes[i];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, removes, &nodes[i + 1]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(nodes[0].next == &nodes[3]);
    return 0;
}
