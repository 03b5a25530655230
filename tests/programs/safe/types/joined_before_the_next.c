// what: one thread is joined before the next is created
// expect: race=ok
// proved: types
#include <pthread.h>
static int x;
static void *run(void *p) {
    x++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(b, 0);
    return x;
}
