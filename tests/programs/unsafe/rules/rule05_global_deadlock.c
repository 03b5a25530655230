// what: no thread is enabled and one has not finished
// expect: deadlock=violated
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    sem_wait(&semaphore); //~ DEADLOCK
    return 0;
}
