// what: the time of the last update is written by two threads
// expect: race=violated
// explicit: race=unknown (a time is an input too wide to try: rule 9)
#include <pthread.h>
#include <time.h>

static time_t last;

static void *worker(void *arg) {
    last = time(NULL); //~ RACE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
