// what: equal threads detach themselves and post when they are done; main waits for the posts
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int work;

static void *worker(void *unused) {
    pthread_detach(pthread_self());
    work++;
    sem_post(&done);
    return NULL;
}

int main(void) {
    sem_init(&done, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
    }
    for (int i = 0; i < 2; i++) sem_wait(&done);
    assert(work == 2);
    return 0;
}
