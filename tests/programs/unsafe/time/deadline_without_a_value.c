// what: a time is compared with a deadline that has no value on one path
// expect: memsafety=violated
// explicit: all=unknown (a time is an input too wide to try: rule 9)
#include <pthread.h>
#include <time.h>

static int known;

static void *worker(void *arg) {
    __atomic_store_n(&known, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t t;
    time_t deadline, now;
    pthread_create(&t, NULL, worker, NULL);
    if (__atomic_load_n(&known, __ATOMIC_SEQ_CST)) deadline = time(NULL) + 3;
    now = time(NULL);
    int late = now >= deadline;
    if (late) now = 0; //~ MEMSAFETY
    pthread_join(t, NULL);
    return 0;
}
