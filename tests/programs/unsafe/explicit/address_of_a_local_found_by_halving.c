// what: a helper halves an interval until it has the address of a variable on the stack; a second thread writes there
// expect: race=violated
// why: the order of an address and a number, asked often enough, is the address
#include <pthread.h>
#include <stdint.h>

static int *found;

static void *writer(void *unused) {
    *found = 1; //~ RACE
    return NULL;
}

int main(void) {
    int own = 0;
    uintptr_t low = 0, high = UINTPTR_MAX;
    while (high - low > 1) {
        uintptr_t middle = low + (high - low) / 2;
        if ((uintptr_t)&own >= middle) low = middle;
        else high = middle;
    }
    found = (int *)low;
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    own = 2;
    pthread_join(thread, NULL);
    return own > 2;
}
