// what: trywait fails with EAGAIN at 0, timedwait with ETIMEDOUT
// expect: assert=ok
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t semaphore;
    struct timespec until = {1, 0};
    sem_init(&semaphore, 0, 1);
    assert(sem_trywait(&semaphore) == 0);
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT);
    assert(sem_post(&semaphore) == 0);
    assert(sem_timedwait(&semaphore, &until) == 0);
    return 0;
}
