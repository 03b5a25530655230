// what: a time goes through a structure, a copy, the heap and a thread's argument, and decides an assertion
// expect: assert=violated
// explicit: assert=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct job { int kind; time_t start; };

static void *worker(void *arg) {
    struct job copy;
    memcpy(&copy, arg, sizeof copy);
    free(arg);
    assert(copy.start < 1000); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t t;
    struct job *job = malloc(sizeof *job);
    job->kind = 1;
    job->start = time(NULL);
    pthread_create(&t, NULL, worker, job);
    pthread_join(t, NULL);
    return 0;
}
