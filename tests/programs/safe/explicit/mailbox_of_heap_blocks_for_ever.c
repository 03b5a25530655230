// what: one thread allocates messages, the other frees them, over a mailbox of one place, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the mailbox is under the mutex; a block belongs to the one that has its pointer; finite with canonical names
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *mailbox;
static void *receiver(void *unused) {
    for (int expected = 0;; expected = 1 - expected) {
        pthread_mutex_lock(&mutex);
        while (!mailbox) pthread_cond_wait(&changed, &mutex);
        int *message = mailbox;
        mailbox = NULL;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        assert(*message == expected);
        free(message);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, NULL);
    for (int number = 0;; number = 1 - number) {
        int *message = malloc(sizeof *message);
        *message = number;
        pthread_mutex_lock(&mutex);
        while (mailbox) pthread_cond_wait(&changed, &mutex);
        mailbox = message;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
