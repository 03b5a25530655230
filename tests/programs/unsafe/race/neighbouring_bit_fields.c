// what: two bit-fields in one unit: writing one reads and writes the other
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } shared;
static void *child(void *unused) {
    shared.b = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    shared.a = 1; //~ RACE
    pthread_join(thread, NULL);
    assert(shared.a == 1 && shared.b == 1); //~ ASSERT
    return 0;
}
