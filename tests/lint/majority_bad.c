// what: a library without main: three functions hold the lock of the object, one does not
#include <pthread.h>
#include <stdlib.h>

struct stack { pthread_mutex_t lock; int height; int values[16]; };

struct stack *stack_new(void)
{
    struct stack *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->height = 0;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void stack_init(struct stack *s)
{
    pthread_mutex_init(&s->lock, NULL);
    s->height = 0;
}

void stack_push(struct stack *s, int value)
{
    pthread_mutex_lock(&s->lock);
    if (s->height < 16)
        s->values[s->height++] = value;
    pthread_mutex_unlock(&s->lock);
}

int stack_pop(struct stack *s)
{
    int value = -1;
    pthread_mutex_lock(&s->lock);
    if (s->height > 0)
        value = s->values[--s->height];
    pthread_mutex_unlock(&s->lock);
    return value;
}

int stack_height(struct stack *s)
{
    return s->height; //~ LINT race-majority-guard
}
