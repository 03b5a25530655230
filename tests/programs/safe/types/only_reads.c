// what: all only read
// expect: race=ok
// proved: types
#include <pthread.h>
static int x = 3;
static void *run(void *p) {
    if (x < 0) return p;
    return (void *)(long)x;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
