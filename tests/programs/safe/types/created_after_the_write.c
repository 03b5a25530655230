// what: the write precedes the creation
// expect: race=ok
// proved: types
#include <pthread.h>
static int x;
static void *run(void *p) { return (void *)(long)x; }
int main(void) {
    pthread_t a;
    x = 1;
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0);
    return 0;
}
