// what: the write follows the creation
// expect: race=violated
#include <pthread.h>
static int x;
static void *run(void *p) { return (void *)(long)x; } //~ RACE
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    x = 1;
    pthread_join(a, 0);
    return 0;
}
