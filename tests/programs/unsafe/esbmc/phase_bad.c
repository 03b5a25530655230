// what: one mutex is the ticket of the next phase; the phases are left in the wrong order
// expect: locks=violated deadlock=violated
#include <pthread.h>

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
static int phase;
static void *thread(void *unused) {
    pthread_mutex_lock(&x); //~ DEADLOCK
    pthread_mutex_lock(&y); //~ DEADLOCK
    phase++;
    pthread_mutex_unlock(&x);
    if (phase == 2) pthread_mutex_unlock(&x); //~ LOCKS
    pthread_mutex_lock(&x); //~ DEADLOCK
    pthread_mutex_unlock(&y);
    pthread_mutex_unlock(&x);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
