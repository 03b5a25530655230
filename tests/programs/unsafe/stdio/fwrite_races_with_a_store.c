// what: fwrite to a file reads the bytes that it is given; another thread changes them
// expect: race=violated
#include <pthread.h>
#include <stdio.h>

static char bytes[2];

static void *child(void *unused) {
    bytes[1] = 1; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    FILE *file = fopen("data", "w");
    pthread_create(&thread, 0, child, 0);
    if (file) fwrite(bytes, 1, 2, file); //~ RACE
    pthread_join(thread, 0);
    return 0;
}
