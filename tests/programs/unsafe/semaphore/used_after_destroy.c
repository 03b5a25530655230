// what: a semaphore is posted after it was destroyed
// expect: locks=violated
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    sem_post(&semaphore); //~ LOCKS
    return 0;
}
