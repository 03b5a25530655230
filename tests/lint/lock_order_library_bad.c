// what: a library without main takes the locks of an object and of its owner in both orders
#include <pthread.h>

struct owner { pthread_mutex_t lock; int count; };
struct item { pthread_mutex_t lock; struct owner *owner; int size; };

void item_resize(struct item *item, int size)
{
    pthread_mutex_lock(&item->lock);
    pthread_mutex_lock(&item->owner->lock); //~ LINT lock-order-cycle
    item->owner->count += size - item->size;
    item->size = size;
    pthread_mutex_unlock(&item->owner->lock);
    pthread_mutex_unlock(&item->lock);
}

void owner_drop(struct owner *owner, struct item *item)
{
    pthread_mutex_lock(&owner->lock);
    pthread_mutex_lock(&item->lock);
    item->size = 0;
    pthread_mutex_unlock(&item->lock);
    pthread_mutex_unlock(&owner->lock);
}
