// what: what is beside the lock is copied
#include <pthread.h>
#include <string.h>

struct data { int balance, limit; char name[24]; };
struct account { pthread_mutex_t lock; struct data data; };

static struct account first = { PTHREAD_MUTEX_INITIALIZER, { 5, 7, "first" } };

struct data read_account(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    struct data copy = account->data;
    pthread_mutex_unlock(&account->lock);
    return copy;
}

int limit(void)
{
    struct account *account = &first;
    struct data copy = read_account(account);
    return copy.limit;
}
