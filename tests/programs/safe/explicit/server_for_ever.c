// what: a server answers the requests of a client for ever, over a mutex and two condition variables
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: all is under the mutex and waits are in loops; numbers go round modulo three
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static int has_request, has_answer, request, answer;
static void *server(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (!has_request) pthread_cond_wait(&asked, &mutex);
        has_request = 0;
        answer = request + 10;
        has_answer = 1;
        pthread_cond_signal(&answered);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    pthread_mutex_lock(&mutex);
    for (int number = 0;; number = (number + 1) % 3) {
        request = number;
        has_request = 1;
        pthread_cond_signal(&asked);
        while (!has_answer) pthread_cond_wait(&answered, &mutex);
        has_answer = 0;
        assert(answer == number + 10);
    }
    return 0;
}
