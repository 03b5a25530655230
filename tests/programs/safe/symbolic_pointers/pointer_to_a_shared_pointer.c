// what: a thread redirects a shared pointer through a pointer to it; the old object stays
// expect: memsafety=ok race=ok assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *current;
static void redirect(int **place, int value) {
    int *fresh = malloc(sizeof *fresh), *old;
    *fresh = value;
    pthread_mutex_lock(&mutex);
    old = *place;
    *place = fresh;
    pthread_mutex_unlock(&mutex);
    (void)old;
}
static void *child(void *argument) {
    redirect(argument, 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    current = malloc(sizeof *current);
    *current = 1;
    pthread_create(&thread, NULL, child, &current);
    pthread_mutex_lock(&mutex);
    int *mine = current;
    pthread_mutex_unlock(&mutex);
    assert(*mine == 1 || *mine == 2);
    pthread_join(thread, NULL);
    return 0;
}
