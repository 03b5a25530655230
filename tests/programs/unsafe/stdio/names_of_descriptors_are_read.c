// what: open reads the name; another thread changes it
// expect: race=violated
#include <fcntl.h>
#include <pthread.h>

static char name[2] = "a";

static void *child(void *unused) {
    name[0] = 'b'; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    int descriptor = open(name, O_RDONLY); //~ RACE
    pthread_join(thread, 0);
    return descriptor == 77;
}
