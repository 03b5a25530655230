// what: what a thread is given was written before
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdlib.h>
struct work { int value; };
static void *run(void *p) {
    struct work *mine = p;
    return (void *)(long)mine->value;
}
int main(void) {
    pthread_t a;
    struct work *made = malloc(sizeof *made);
    made->value = 1;
    pthread_create(&a, 0, run, made);
    pthread_join(a, 0);
    free(made);
    return 0;
}
