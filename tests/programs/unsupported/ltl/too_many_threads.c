// what: more threads than fairness has marks for
// expect: ltl=unknown
// engines: explicit
// options: --property "ltl=[]<> on" --prop "on=!x"
#include <pthread.h>

static int x;

static void *worker(void *unused) {
    x = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 70; i++)
        pthread_create(&t, 0, worker, 0);
    return 0;
}
