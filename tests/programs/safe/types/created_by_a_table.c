// what: a thread is created through a pointer to the function, and what it is given lies elsewhere
// expect: race=ok
// proved: types
#include <pthread.h>
typedef int (*creator)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
struct node { struct node *next; int *number; };
static int x, y;
static struct node first = {0, &y};
static creator table[1] = {pthread_create};
static void *run(void *p) {
    for (struct node *node = p; node; node = node->next)
        *node->number = 1;
    return 0;
}
int main(void) {
    pthread_t b;
    table[0](&b, 0, run, &first);
    x = 2;
    pthread_join(b, 0);
    return 0;
}
