// what: two threads push to a stack by compare-exchange, each at most three attempts: nothing is lost
// expect: assert=ok memsafety=ok
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
    struct node *old = top;
    do fresh->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, fresh));
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (struct node *n = top; n; n = n->next) sum += n->value;
    assert(sum == 3);
    return 0;
}
