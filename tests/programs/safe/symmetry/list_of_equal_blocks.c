// what: equal threads push a heap block each on one list; main frees them all
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *worker(void *unused) {
    struct node *node = malloc(sizeof *node);
    pthread_mutex_lock(&mutex);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int length = 0;
    while (head) {
        struct node *node = head;
        head = node->next;
        free(node);
        length++;
    }
    assert(length == 2);
    return 0;
}
