// what: one access is plain
// expect: race=violated
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *one(void *p) {
    x++;
    return 0;
}
static void *two(void *p) {
    *(int *)&x = 3; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
