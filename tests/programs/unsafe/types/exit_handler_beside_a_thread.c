// what: an exit handler runs beside a thread
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>
static int x;
static void last(void) { x = 2; } //~ RACE
static void *run(void *p) {
    x = 1; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a;
    atexit(last);
    pthread_create(&a, 0, run, 0);
    exit(0);
}
