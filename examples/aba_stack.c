/* A lock-free stack with nodes from malloc. `pop` reads the top and its
 * successor, then swaps them with a compare-and-exchange. If meanwhile the top
 * was popped, freed, allocated again and pushed, the address is the same, the
 * exchange succeeds and the stack gets a successor that is long gone (ABA).
 * (To read `top->next` of a freed node is the same neglect: see the row memsafety.)
 *
 * $ raddle check --property assert --reuse-addresses examples/aba_stack.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);

    if (node == NULL)
        abort();
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        continue;
}

static int pop(void)
{
    struct node *node = atomic_load(&top), *next;
    int value;

    do {
        if (node == NULL)
            return -1;
        next = node->next;
    } while (!atomic_compare_exchange_strong(&top, &node, next));

    assert(node->next == next);         /* the node is ours, and still the same */
    value = node->value;
    free(node);
    return value;
}

static void *consumer(void *unused)
{
    pop();
    return unused;
}

static void *recycler(void *unused)
{
    pop();
    pop();
    push(3);
    return unused;
}

int main(void)
{
    pthread_t c, r;

    push(1);
    push(2);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&r, NULL, recycler, NULL);
    pthread_join(c, NULL);
    pthread_join(r, NULL);
    return 0;
}
