// what: two threads push nodes to a list under a mutex: none is lost
// expect: assert=ok memsafety=ok race=ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node *head;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *pusher(void *unused) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = 1;
    pthread_mutex_lock(&mutex);
    fresh->next = head;
    head = fresh;
    pthread_mutex_unlock(&mutex);
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
    assert(sum == 2);
    return 0;
}
