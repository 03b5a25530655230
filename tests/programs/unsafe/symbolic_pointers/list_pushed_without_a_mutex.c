// what: two threads push nodes to a list without a mutex: one may be lost
// expect: assert=violated race=violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node *head;
static void *pusher(void *unused) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = 1;
    fresh->next = head; //~ RACE
    head = fresh; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, pusher, NULL);
    pthread_create(&second, NULL, pusher, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    int sum = 0;
    for (struct node *n = head; n; n = n->next) sum += n->value;
    assert(sum == 2); //~ ASSERT
    return 0;
}
