// what: getenv reads the name; another thread changes it
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>

static char name[2] = "A";

static void *child(void *unused) {
    name[0] = 'B'; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    char *value = getenv(name); //~ RACE
    pthread_join(thread, 0);
    return value != 0;
}
