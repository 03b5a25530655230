// what: the write in the section races with the plain one although an assumption of the same section fails after it
// expect: race=violated
// why: the assumption ends the run after the write (rule 8); what came before is judged
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = 1; //~ RACE
    raddle_assume(0);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    x = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
