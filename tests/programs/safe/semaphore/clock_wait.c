// what: sem_clockwait times out at 0 and succeeds at 1
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t semaphore;
    struct timespec until = {1, 0}, wrong = {1, 1000000000};
    sem_init(&semaphore, 0, 1);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) == 0);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&semaphore, &wrong) == -1 && errno == EINVAL);
    return 0;
}
