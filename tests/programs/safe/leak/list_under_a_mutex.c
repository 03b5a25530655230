// what: as in safe/explicit, and no block is lost: two threads push heap nodes on a list under a mutex; main walks and frees it
// expect: assert=ok leak=ok
// options: --property assert --property leak
// engines: auto explicit
// proved: explicit
// why: the order of the nodes differs, their sum does not
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static void *thread(void *argument) {
    struct node *node = malloc(sizeof *node);
    node->value = (int)(long)argument;
    pthread_mutex_lock(&mutex);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)1);
    pthread_create(&b, NULL, thread, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    while (list) {
        struct node *rest = list->next;
        sum += list->value;
        free(list);
        list = rest;
    }
    assert(sum == 3);
    return 0;
}
