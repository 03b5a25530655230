// what: two threads pop one element each by compare-exchange: they get different ones
// expect: assert=ok memsafety=ok
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
    while (!atomic_compare_exchange_strong(&top, &old, old->next)) continue;
    got[(long)argument] = old->value;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, pop, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(got[0] != got[1]);
    return 0;
}
