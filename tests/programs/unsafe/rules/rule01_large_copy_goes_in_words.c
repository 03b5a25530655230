// what: a struct is copied word by word: a reader sees new words before old ones
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

struct wide { long long a, b, c; };
static struct wide shared, ones = {1, 1, 1};
static void *child(void *unused) {
    shared = ones; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    long long c = shared.c; //~ RACE
    long long a = shared.a; //~ RACE
    assert(c == a); //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
