// what: two threads use rand_r with one seed
// expect: race=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <pthread.h>
#include <stdlib.h>

static unsigned seed = 1;
static void *child(void *unused) {
    rand_r(&seed); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    rand_r(&seed); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
