// what: a place relative to a base that is null, and was an address before
// expect: race=violated
#include <pthread.h>
#include <stdint.h>
static int x, y;
static char *base;
static void *run(void *p) {
    int *place = (int *)(base + (uintptr_t)&y);
    *place = 1; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a;
    base = (char *)&x;
    base = 0;
    pthread_create(&a, 0, run, 0);
    y = 2; //~ RACE
    pthread_join(a, 0);
    return 0;
}
