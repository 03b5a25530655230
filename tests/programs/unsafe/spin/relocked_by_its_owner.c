// what: a spin lock is taken twice by one thread
// expect: locks=violated deadlock=violated
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock); //~ LOCKS //~ DEADLOCK
    return 0;
}
