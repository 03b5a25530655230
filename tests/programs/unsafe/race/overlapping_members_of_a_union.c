// what: a byte and a word of one union overlap
// expect: race=violated
#include <pthread.h>

static union { int word; char bytes[4]; } shared;
static void *child(void *unused) {
    shared.bytes[2] = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    shared.word = 0; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
