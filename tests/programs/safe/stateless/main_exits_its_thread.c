// what: pthread_exit in main leaves the others running
// expect: assert=ok race=ok deadlock=ok
// why: two orders
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *add(void *unused) {
    x++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    x++;
    pthread_exit(NULL);
}
