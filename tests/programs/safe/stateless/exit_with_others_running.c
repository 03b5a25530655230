// what: a thread ends the process while two others write
// expect: assert=ok race=ok deadlock=ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static void *add(void *unused) {
    x++;
    return NULL;
}
static void *leave(void *unused) {
    if (x == 1) exit(0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, leave, NULL);
    x = x;
    return 0;
}
