// what: a library without main: always the owner first, two items by address
#include <pthread.h>

struct owner { pthread_mutex_t lock; int count; };
struct item { pthread_mutex_t lock; struct owner *owner; int size; };

void item_resize(struct item *item, int size)
{
    pthread_mutex_lock(&item->owner->lock);
    pthread_mutex_lock(&item->lock);
    item->owner->count += size - item->size;
    item->size = size;
    pthread_mutex_unlock(&item->lock);
    pthread_mutex_unlock(&item->owner->lock);
}

void item_swap(struct item *a, struct item *b)
{
    struct item *first = a < b ? a : b, *second = a < b ? b : a;
    if (a == b)
        return;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    int size = a->size;
    a->size = b->size;
    b->size = size;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}
