// what: write reads the bytes that it is given; another thread changes them
// expect: race=violated
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static char bytes[2];

static void *child(void *unused) {
    bytes[1] = 1; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    int descriptor = open("data", O_WRONLY);
    pthread_create(&thread, 0, child, 0);
    write(descriptor, bytes, 2); //~ RACE
    pthread_join(thread, 0);
    return 0;
}
