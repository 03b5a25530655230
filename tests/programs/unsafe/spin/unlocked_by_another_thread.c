// what: a thread releases a spin lock that main holds
// expect: locks=violated
#include <pthread.h>

static pthread_spinlock_t lock;
static void *child(void *unused) {
    pthread_spin_unlock(&lock); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
