// what: one writes
// expect: race=violated
#include <pthread.h>
static int x = 3;
static void *run(void *p) {
    x = 2; //~ RACE
    return (void *)(long)x; //~ RACE
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
