// what: main overflows before its first visible operation
// expect: overflow=violated race=violated
// why: every run does; preemptions: 0
#include <limits.h>
#include <pthread.h>

static int x;

static void *write(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    int most = INT_MAX;
    most++; //~ OVERFLOW
    pthread_t writer;
    pthread_create(&writer, NULL, write, NULL);
    x = 3;
    pthread_join(writer, NULL);
    return most & 0;
}
