// A list behind a global pointer; what is in the list is guarded by the lock of the list.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static int length;

static void push(struct node *node) {
    node->next = head;
    head = node;
    length++;
}

static void *work(void *argument) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return argument;
    pthread_mutex_lock(&lock);
    node->value = length;
    push(node);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *clear(void *argument) {
    pthread_mutex_lock(&lock);
    for (struct node *node = head; node; node = node->next)
        node->value = 0;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, clear, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
