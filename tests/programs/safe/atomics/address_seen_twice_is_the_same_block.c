// what: without the reuse of addresses, a compare-exchange that finds the address finds the block
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) top;
static atomic_int changes;

static void *replace(void *unused) {
    int *old = atomic_exchange(&top, NULL);
    if (!old) return NULL;
    free(old);
    int *next = malloc(sizeof *next);
    changes++;
    top = next;
    return NULL;
}

int main(void) {
    pthread_t thread;
    top = malloc(sizeof(int));
    pthread_create(&thread, NULL, replace, NULL);
    int *seen = top;
    int before = changes;
    if (seen && before == 0 && atomic_compare_exchange_strong(&top, &seen, NULL)) assert(changes == before);
    pthread_join(thread, NULL);
    return 0;
}
