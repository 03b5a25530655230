// what: a condition variable in fresh heap memory was never initialised
// expect: locks=violated
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_cond_t *cond = malloc(sizeof *cond);
    pthread_cond_signal(cond); //~ LOCKS
    free(cond);
    return 0;
}
