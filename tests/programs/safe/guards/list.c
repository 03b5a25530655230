// what: threads push blocks that they have filled onto a list, and move one each to another list
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: a block is private until it is pushed, and lists are changed under their locks
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 2

struct node {
    struct node *next;
    int value;
};

struct list {
    pthread_mutex_t lock;
    struct node *first;
    int length;
};

static struct list *list, *done;

static void push(struct list *list, struct node *node) {
    pthread_mutex_lock(&list->lock);
    node->next = list->first;
    list->first = node;
    list->length++;
    pthread_mutex_unlock(&list->lock);
}

static struct node *pop(struct list *list) {
    pthread_mutex_lock(&list->lock);
    struct node *node = list->first;
    if (node) {
        list->first = node->next;
        list->length--;
    }
    pthread_mutex_unlock(&list->lock);
    return node;
}

static void *thread(void *argument) {
    struct node *node = malloc(sizeof *node);
    node->value = (int)(long)argument;
    push(list, node);
    node = pop(list);
    if (node) push(done, node);
    return NULL;
}

static struct list *make(void) {
    struct list *list = malloc(sizeof *list);
    pthread_mutex_init(&list->lock, NULL);
    list->first = NULL;
    list->length = 0;
    return list;
}

int main(void) {
    pthread_t threads[N];
    list = make();
    done = make();
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(done->length == N && list->length == 0);
    return 0;
}
