// what: a thread is given the address of a local of a function that returns at once
#include <pthread.h>
#include <stdio.h>

static pthread_t thread;

static void *show(void *number)
{
    printf("%d\n", *(int *)number);
    return NULL;
}

static void start(int n)
{
    int number = 2 * n;
    pthread_create(&thread, NULL, show, &number); //~ LINT escaping-local
}

int main(void)
{
    start(4);
    pthread_join(thread, NULL);
    return 0;
}
