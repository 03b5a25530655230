// what: two threads initialise a table by pthread_once
// expect: race=ok assert=ok
#include <assert.h>
#include <pthread.h>

static int table[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void fill(void) {
    table[0] = 1;
    table[1] = 2;
}
static void *user(void *unused) {
    pthread_once(&once, fill);
    assert(table[1] == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);
    return 0;
}
