// what: a list is walked with the mutex of the next node taken before the last is released
// expect: race=ok memsafety=ok deadlock=ok
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t mutex;
    int value;
    struct node *next;
};
static struct node first = {PTHREAD_MUTEX_INITIALIZER, 1, NULL};
static void *walker(void *unused) {
    pthread_mutex_lock(&first.mutex);
    struct node *second = first.next;
    if (second) {
        pthread_mutex_lock(&second->mutex);
        second->value++;
        pthread_mutex_unlock(&second->mutex);
    }
    pthread_mutex_unlock(&first.mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct node *second = malloc(sizeof *second);
    pthread_mutex_init(&second->mutex, NULL);
    second->value = 2;
    second->next = NULL;
    first.next = second;
    pthread_create(&thread, NULL, walker, NULL);
    pthread_mutex_lock(&first.mutex);
    first.next = NULL;
    pthread_mutex_lock(&second->mutex);
    pthread_mutex_unlock(&second->mutex);
    pthread_mutex_destroy(&second->mutex);
    free(second);
    pthread_mutex_unlock(&first.mutex);
    pthread_join(thread, NULL);
    return 0;
}
