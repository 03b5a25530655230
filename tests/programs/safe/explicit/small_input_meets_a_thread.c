// what: any number from 0 to 3, and a thread that doubles the shared one meanwhile
// expect: assert=ok
// proved: explicit
// why: doubled before it is written the number is n, doubled afterwards it is 2n
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;
static void *doubler(void *unused) {
    pthread_mutex_lock(&mutex);
    number *= 2;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int input = (int)raddle_any_in(0, 3);
    pthread_create(&thread, NULL, doubler, NULL);
    pthread_mutex_lock(&mutex);
    number = input;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(number == input || number == 2 * input);
    return 0;
}
