// what: two threads push to a stack by a load and a store: an element may be lost
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};
static struct node nodes[2] = {{1, NULL}, {2, NULL}};
static struct node *_Atomic top;
static void *push(void *argument) {
    struct node *fresh = argument;
    fresh->next = top;
    top = fresh;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (struct node *n = top; n; n = n->next) sum += n->value;
    assert(sum == 3); //~ ASSERT
    return 0;
}
