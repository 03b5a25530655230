// what: what is beside the lock is copied
#include <pthread.h>
#include <stdlib.h>
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

// Blocks with and without a lock come from one allocator.
struct message { int id, size; char text[40]; };
struct guarded { pthread_mutex_t lock; int uses; };

static void *make(size_t bytes)
{
    return calloc(1, bytes);
}

int packed(void)
{
    struct guarded *guarded = make(sizeof *guarded);
    struct message *message = make(sizeof *message);
    char start[8] = { 0 };
    if (guarded && message) {
        pthread_mutex_lock(&guarded->lock);
        guarded->uses++;
        pthread_mutex_unlock(&guarded->lock);
        message->id = 1;
        memcpy(start, message, sizeof start);
    }
    free(guarded);
    free(message);
    return start[0];
}
