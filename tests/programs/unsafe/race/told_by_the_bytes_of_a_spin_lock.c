// what: a thread reads the bytes of a spin lock and learns that another one has written before
// why: a plain read of a lock orders nothing, and sections of the library are not race-checked
// expect: race=violated
#include <pthread.h>

static pthread_spinlock_t lock;
static int data;

static void *reader(void *unused) {
    if (lock) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, 0, reader, 0);
    data = 1;
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
