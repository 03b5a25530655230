// what: an invariant over a list in the heap, read through a pointer that is null at first
// expect: invariant=ok
// engines: explicit stateless
// proved: explicit stateless
// options: --property assert --invariant "!head || head->value > 0"
// why: a node is complete before it is published
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *value) {
    struct node *new = malloc(sizeof *new);
    new->value = (int)(long)value;
    pthread_mutex_lock(&lock);
    new->next = head;
    head = new;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, (void *)1);
    worker((void *)2);
    pthread_join(one, 0);
    return 0;
}
