// what: two threads pop from a list of one node; each tests the head before it takes the mutex
// expect: memsafety=violated race=violated
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node only = {7, NULL};
static struct node *head = &only;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken[2];
static void *popper(void *argument) {
    if (head) { //~ RACE
        pthread_mutex_lock(&mutex);
        taken[(long)argument] = head->value; //~ MEMSAFETY
        head = head->next; //~ RACE MEMSAFETY
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, popper, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return taken[0] + taken[1];
}
