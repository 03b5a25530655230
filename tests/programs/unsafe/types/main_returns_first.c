// what: main goes on beside the thread
// expect: race=violated
#include <pthread.h>
static int x;
static void *run(void *p) {
    x = 1; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    x = 2; //~ RACE
    return 0;
}
