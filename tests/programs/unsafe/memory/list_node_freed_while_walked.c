// what: hand-over of a list without holding the lock while walking
// expect: memsafety=violated race=violated
// schedules: 2000
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static void *remover(void *unused) {
    pthread_mutex_lock(&mutex);
    struct node *n = head;
    head = n->next;
    pthread_mutex_unlock(&mutex);
    free(n); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = NULL;
    head = n;
    pthread_create(&thread, NULL, remover, NULL);
    pthread_mutex_lock(&mutex);
    struct node *first = head;
    pthread_mutex_unlock(&mutex);
    int value = first ? first->value : 0; //~ RACE //~ MEMSAFETY
    pthread_join(thread, NULL);
    return value > 1;
}
