// what: two locks in opposite orders: in the deadlock nothing changes any more, so the second never finishes
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=<> done" --prop "done=finished == 2"
// why: rule 11: the last state of a run stutters, also that of a deadlock
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *other(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    finished++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a); //~ LTL
    pthread_mutex_lock(&b);
    finished++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
