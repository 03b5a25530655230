// what: a named semaphore is found by its name, outlives its unlinking, and orders two threads
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int value;
static void *child(void *unused) {
    sem_t *same = sem_open("/loom", 0);
    assert(same != SEM_FAILED);
    value = 3;
    sem_post(same);
    sem_close(same);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_t *semaphore = sem_open("/loom", O_CREAT | O_EXCL, 0600, 0);
    assert(semaphore != SEM_FAILED);
    assert(sem_open("/loom", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    assert(sem_open("/other", 0) == SEM_FAILED && errno == ENOENT);
    pthread_create(&thread, NULL, child, NULL);
    sem_wait(semaphore);
    assert(value == 3);
    pthread_join(thread, NULL);
    assert(sem_unlink("/loom") == 0);
    assert(sem_close(semaphore) == 0);
    return 0;
}
