// what: pop reads the top and stores its successor without comparing: an element is popped twice
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node { struct node *next; atomic_int popped; };
static struct node nodes[2] = {{NULL}, {&nodes[0]}};
static struct node *_Atomic top = &nodes[1];
static void *pop(void *unused) {
    struct node *n = top;
    top = n->next;
    assert(atomic_fetch_add(&n->popped, 1) == 0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
