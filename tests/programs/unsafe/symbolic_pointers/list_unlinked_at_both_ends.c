// what: neighbours are removed from a doubly linked list by two threads without a lock: a removed node stays linked
// expect: assert=violated race=violated
#include <assert.h>
#include <pthread.h>

struct node {
    struct node *next, *previous;
};
static struct node nodes[4];
static void *removes(void *argument) {
    struct node *node = argument;
    node->previous->next = node->next; //~ RACE
    node->next->previous = node->previous; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 3; i++) nodes[i].next = &nodes[i + 1], nodes[i + 1].previous = &nodes[i];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, removes, &nodes[i + 1]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(nodes[0].next == &nodes[3]); //~ ASSERT
    return 0;
}
