// what: a thread is created through a pointer to the function, with a list that no other thread is given
// expect: race=violated
#include <pthread.h>
typedef int (*creator)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
struct node { struct node *next; int *number; };
static int x, y;
static struct node second = {0, &x}, first = {&second, &y}, other = {0, &y};
static creator table[1] = {pthread_create};
static void *run(void *p) {
    for (struct node *node = p; node; node = node->next)
        *node->number = 1; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, &other);
    pthread_join(a, 0);
    table[0](&b, 0, run, &first);
    x = 2; //~ RACE
    pthread_join(b, 0);
    return 0;
}
