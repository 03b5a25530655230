// what: two threads pop by a load and a store: both may get the same element
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};
static struct node bottom = {1, NULL}, upper = {2, &bottom};
static struct node *_Atomic top = &upper;
static int got[2];
static void *pop(void *argument) {
    struct node *old = top;
    top = old->next;
    got[(long)argument] = old->value;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, pop, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(got[0] != got[1]); //~ ASSERT
    return 0;
}
