// what: sem_open without creation fails, and the program does not look
// expect: memsafety=violated
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *semaphore = sem_open("/missing", 0);
    sem_post(semaphore); //~ MEMSAFETY
    return 0;
}
