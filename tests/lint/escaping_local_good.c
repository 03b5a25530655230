// what: the thread is joined before the local dies, or has a block of its own
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *add(void *number)
{
    sum += *(int *)number;
    return number;
}

static void run(int n)
{
    pthread_t thread;
    int number = 2 * n;
    pthread_create(&thread, NULL, add, &number);
    pthread_join(thread, NULL);
}

static pthread_t start(int n)
{
    pthread_t thread;
    int *number = malloc(sizeof *number);
    if (number == NULL)
        abort();
    *number = n;
    pthread_create(&thread, NULL, add, number);
    return thread;
}

int main(void)
{
    run(4);
    pthread_t other = start(5);
    void *block;
    pthread_join(other, &block);
    free(block);
    return sum;
}
