// what: accesses before creation, under one lock, by a semaphore, after join, and one element a thread
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t full;
static int count, start, message, results[4];

static void *worker(void *argument)
{
    int *own = argument;
    pthread_mutex_lock(&lock);
    count += start;
    pthread_mutex_unlock(&lock);
    *own = start;
    return NULL;
}

static void *receiver(void *unused)
{
    sem_wait(&full);
    results[3] = message;
    return unused;
}

int main(void)
{
    pthread_t threads[3], last;
    start = 3;
    sem_init(&full, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, &results[i]);
    pthread_create(&last, NULL, receiver, NULL);
    message = 7;
    sem_post(&full);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pthread_join(last, NULL);
    return count + results[0];
}
