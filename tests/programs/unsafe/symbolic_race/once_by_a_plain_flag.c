// what: two threads initialise a table behind a plain flag, which is tested without a lock
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int table[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_filled;
static void fill(void) {
    is_filled = 1; //~ RACE
    table[0] = 1;
    table[1] = 2; //~ RACE
}
static void *user(void *unused) {
    if (!is_filled) { //~ RACE
        pthread_mutex_lock(&mutex);
        if (!is_filled) fill(); //~ RACE
        pthread_mutex_unlock(&mutex);
    }
    assert(table[1] == 2); //~ RACE ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);
    return 0;
}
