// what: threads push blocks that they have filled onto a stack with a lock inside
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the stack is changed under its lock
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 2

struct node {
    struct node *below;
    int value;
};

struct stack {
    pthread_mutex_t lock;
    struct node *top;
    int height;
};

static struct stack *stack;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    pthread_mutex_lock(&stack->lock);
    node->below = stack->top;
    stack->top = node;
    stack->height++;
    pthread_mutex_unlock(&stack->lock);
}

static void *thread(void *argument) {
    push((int)(long)argument);
    push((int)(long)argument + N);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    stack = malloc(sizeof *stack);
    pthread_mutex_init(&stack->lock, NULL);
    stack->top = NULL;
    stack->height = 0;
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (struct node *node = stack->top; node; node = node->below) sum += node->value;
    assert(stack->height == 2 * N && sum == N * (2 * N - 1));
    return 0;
}
