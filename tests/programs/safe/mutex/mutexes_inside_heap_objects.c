// what: each heap object has its own mutex; initialised, used by two threads, destroyed
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t mutex; int balance; };
static struct account *make(int balance) {
    struct account *a = malloc(sizeof *a);
    pthread_mutex_init(&a->mutex, NULL);
    a->balance = balance;
    return a;
}
static void *deposit(void *argument) {
    struct account *a = argument;
    pthread_mutex_lock(&a->mutex);
    a->balance += 10;
    pthread_mutex_unlock(&a->mutex);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    struct account *a = make(1), *b = make(2);
    pthread_create(&t, NULL, deposit, a);
    pthread_create(&u, NULL, deposit, a);
    deposit(b);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(a->balance == 21 && b->balance == 12);
    pthread_mutex_destroy(&a->mutex);
    pthread_mutex_destroy(&b->mutex);
    free(a);
    free(b);
    return 0;
}
