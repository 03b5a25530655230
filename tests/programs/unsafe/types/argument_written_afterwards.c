// what: what a thread is given is written afterwards
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>
struct work { int value; };
static void *run(void *p) {
    struct work *mine = p;
    return (void *)(long)mine->value; //~ RACE
}
int main(void) {
    pthread_t a;
    struct work *made = malloc(sizeof *made);
    pthread_create(&a, 0, run, made);
    made->value = 1; //~ RACE
    pthread_join(a, 0);
    free(made);
    return 0;
}
