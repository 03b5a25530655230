// what: a function with the attribute destructor runs at exit while a thread still uses what it writes
// expect: race=violated
#include <pthread.h>

static int table;
__attribute__((destructor)) static void end(void) {
    table = 0; //~ RACE
}
static void *child(void *unused) {
    table = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    return 0;
}
